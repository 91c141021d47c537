import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import type { Event } from '../../src/schema/event.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { request, sessionOf } from '../hub/support/hub.ts';
import { openSocket } from '../hub/support/socket.ts';
import { fermata, freshFolder, startFermata } from '../support/fermata.ts';

function place() {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
}

/** The real program, on a free port. */
async function serve(at: ReturnType<typeof place>, ...args: string[]) {
  const running = startFermata(['serve', '--port', '0', '--format', 'json', ...args], at);
  const [line = ''] = (await running.shows(/\n/)).split('\n');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const call = (method: string, path: string, body?: unknown) =>
    request(url + path, method, body, { authorization: `Bearer ${token}` });
  return { ...running, url, token, call };
}

it('CLI-serve the first line of JSON is the address and the token; the folder is a project from the start (HUB-1); it listens on loopback alone (HUB-3)', async () => {
  const at = place();
  const hub = await serve(at);
  expect(hub.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(readFileSync(join(at.env.FERMATA_HOME, 'token'), 'utf8').trim()).toBe(hub.token);
  expect((await hub.call('GET', '/projects')).body.data).toMatchObject([{ root: at.cwd }]);
  if (process.platform === 'linux') expect(listensAt(new URL(hub.url).port)).toEqual(['0100007F']);
  hub.child.kill('SIGINT');
  expect(await hub.ended).toMatchObject({ code: 0 });
});

it('CLI-serve says that no browser can be opened (HUB-3), where notices go, and that other devices cannot open links to this machine (CHAN-4)', async () => {
  const at = place();
  mkdirSync(join(at.env.FERMATA_HOME, 'open-inbox.html'), { recursive: true });
  const env = { ...at.env, FERMATA_NOTIFY_NTFY: 'http://127.0.0.1:9/topic' };
  const hub = await serve({ ...at, env }, '--open');
  expect((await hub.call('GET', '/healthz')).status).toBe(200);
  hub.child.kill('SIGINT');
  const { code, stderr } = await hub.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('Open the link yourself');
  expect(stderr).toMatch(/Notices are sent through ntfy\.\nTheir links start with http:.*--public-url .*\n/);
});

it('CLI-serve passes a question of another process on, and the answer back to its asker (HUB-1, HUB-2)', async () => {
  const at = place();
  const hub = await serve(at);
  const [{ id }] = (await hub.call('GET', '/projects')).body.data;
  const socket = await openSocket(hub, `/ws/projects/${id}`);
  const asker = startFermata(['ask', 'Which database?', '-o', 'PostgreSQL', '-o', 'SQLite'], at);
  asker.child.stdin?.end();
  const [added] = await socket.has(1);
  const { notification } = (added as Event & { data: { notification: Notification } }).data;
  const path = `/api/v1/projects/${id}/notifications/${notification.id}`;
  await hub.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'SQLite' }] });
  expect(await asker.ended).toMatchObject({ code: 0, stdout: 'SQLite\n' });
  expect((await socket.has(3)).map(({ type }) => type)).toEqual([
    'notification.added',
    'notification.resolved',
    'notification.updated',
  ]);
});

it('CLI-serve prints a link that logs one browser in, but never the token (HUB-3)', async () => {
  const at = place();
  const running = startFermata(['serve', '--port', '0'], at);
  const text = await running.shows(/login=\S+\s/);
  const [, url = '', code = ''] = /(http:\S+)\/#login=(\S+)/.exec(text) ?? [];
  expect((await request(`${url}/session`, 'POST', { code })).status).toBe(201);
  expect((await request(`${url}/session`, 'POST', { code })).status).toBe(401);
  running.child.kill('SIGTERM');
  const { code: exit, stdout, stderr } = await running.ended;
  expect(exit).toBe(0);
  const token = readFileSync(join(at.env.FERMATA_HOME, 'token'), 'utf8').trim();
  expect(stdout + stderr).not.toContain(token);
});

it('CLI-serve prints no secret, even if it fails internally (HUB-3)', async () => {
  const at = place();
  const running = startFermata(['serve', '--port', '0', '--debug'], at);
  const [, url = ''] = /(http:\S+)\/#login=/.exec(await running.shows(/login=\S+/)) ?? [];
  const token = readFileSync(join(at.env.FERMATA_HOME, 'token'), 'utf8').trim();
  const owner = { authorization: `Bearer ${token}` };
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = owner) =>
    request(url + path, method, body, headers);
  const { secret } = (await call('POST', '/tokens', { name: 'ci', role: 'human' })).body.data;
  const { ticket } = (await call('POST', '/ws-ticket')).body.data;
  const session = await call('POST', '/session', { token });
  const page = sessionOf(session);
  const [{ id }] = (await call('GET', '/projects')).body.data;
  const file = new DatabaseSync(join(at.env.FERMATA_HOME, 'ledger.db'));
  file.exec('drop table decisions');
  file.close();
  const decisions = `/projects/${id}/decisions`;
  const proofs: Record<string, string>[] = [owner, { authorization: `Bearer ${secret}` }, page];
  for (const headers of proofs) {
    expect((await call('GET', decisions, undefined, headers)).status).toBe(500);
    await call('GET', `/nothing/${token}?token=${token}`, undefined, headers);
    await call('GET', `/projects?token=${secret}`, undefined, headers);
  }
  await call('POST', '/session', `{"token":"${token}"`);
  await expect(openSocket({ url, token }, `/ws/nothing?ticket=${ticket}`, {})).rejects.toThrow('status 404');
  running.child.kill('SIGTERM');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('no such table');
  for (const hidden of [token, secret, ticket, page.cookie.split('=')[1] ?? '', page['x-fermata-page-key']])
    expect(stdout + stderr).not.toContain(hidden);
});

it('CLI-serve is refused to agents, who could answer themselves with it (HUB-3)', async () => {
  const at = place();
  const result = await fermata(['serve'], { ...at, env: { ...at.env, FERMATA_AGENT: 'claude' } });
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('An agent may not start a hub') });
});

it('CLI-serve says what to do if the port is taken, the address is not ours, or a URL is invalid', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const at = place();
  expect(await fermata(['serve', '--port', String(port)], at)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--port'),
  });
  await new Promise((resolve) => taken.close(resolve));
  expect(await fermata(['serve', '--port', '0', '--host', '203.0.113.7'], at)).toMatchObject({ code: 2 });
  expect(await fermata(['serve', '--port', '70000'], at)).toMatchObject({ code: 2 });
  expect(await fermata(['serve', '--public-url', 'hub.example.org'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('https://hub.example.org'),
  });
  const env = { ...at.env, FERMATA_NOTIFY_WEBHOOK: 'nonsense' };
  expect(await fermata(['serve', '--port', '0'], { ...at, env })).toMatchObject({ code: 2 });
});

/** The addresses at which something listens on this port. */
function listensAt(port: string): (string | undefined)[] {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6']
    .flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hex}`))
    .map(([, local]) => local?.split(':')[0]);
}
