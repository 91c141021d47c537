import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { request } from '../hub/support/hub.ts';
import { openSocket } from '../hub/support/socket.ts';
import { freshFolder, startFermata } from '../support/fermata.ts';

/** The status of an upgrade by hand; whole clients would need more than the hub does. */
function open(url: URL, path: string, token: string, opened: Socket[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    opened.push(socket);
    socket.once('data', (head) => resolve(head.toString('latin1').slice(9, 12)));
    socket.on('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n` +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
  });
}

it('10,000 sockets from one client: it gets its share, the others are served, and memory stays bounded (HUB-3)', async () => {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const args = ['serve', '--port', '0', '--format', 'json'];
  const running = startFermata(args, { cwd, env, limitMs: 600_000 });
  const [line = ''] = (await running.shows(/\n/)).split('\n');
  const hub = JSON.parse(line) as { url: string; token: string };
  const call = (method: string, path: string, body?: unknown) =>
    request(hub.url + path, method, body, { authorization: `Bearer ${hub.token}` });
  const [{ id }] = (await call('GET', '/projects')).body.data;
  const { secret } = (await call('POST', '/tokens', { name: 'greedy', role: 'human' })).body.data;

  const opened: Socket[] = [];
  onTestFinished(() => {
    for (const socket of opened) socket.destroy();
  });
  const statuses = new Map<string, number>();
  for (let batch = 0; batch < 50; batch++) {
    const some = Array.from({ length: 200 }, () =>
      open(new URL(hub.url), `/ws/projects/${id}`, secret, opened),
    );
    for (const status of await Promise.all(some)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 101: 6000, 503: 4000 });

  const other = await openSocket(hub, `/ws/projects/${id}`);
  expect((await call('POST', `/projects/${id}/tasks`, { title: 'Still there' })).status).toBe(201);
  expect(await other.has(1)).toMatchObject([{ type: 'task.updated', data: { title: 'Still there' } }]);
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(600_000);
  }
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0 });
});
