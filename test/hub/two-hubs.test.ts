import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eachStore } from '../ledger/support/stores.ts';
import { startFermata } from '../support/fermata.ts';
import { request, testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

/** The real program on a store that others use too. */
async function serve(store: string, home: string) {
  const env = { FERMATA_HOME: home, FERMATA_STORE: store };
  const running = startFermata(['serve', '--port', '0', '--format', 'json'], { env });
  const [line = ''] = (await running.shows(/\n/)).split('\n');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const call = (method: string, path: string, body?: unknown) =>
    request(url + path, method, body, { authorization: `Bearer ${token}` });
  return { ...running, url, token, call };
}

function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'fermata-two-hubs-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

eachStore((store) => {
  it('an answer given to one hub reaches the sockets of the other; tokens and tickets are good at both (HUB-4)', async () => {
    const { project } = await store.start();
    const [one, two] = [await testHub(store), await testHub(store)];
    const at = `/projects/${project}`;
    const { ticket } = (await two.call('POST', '/ws-ticket')).body.data;
    const socket = await openSocket(one, `/ws${at}?ticket=${ticket}`, {});
    const question = { source: 'plan', sourceId: 'x', questions: [{ id: 'q1', text: 'Which?' }] };
    const { id } = (await one.call('POST', `${at}/notifications`, question)).body.data;
    const path = `${at}/notifications/${id}`;
    const answered = await two.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'A' }] });
    expect(answered.status).toBe(200);
    expect(await socket.has(2)).toMatchObject([
      { number: 1, type: 'notification.added' },
      { number: 2, type: 'notification.resolved', data: { id, status: 'answered' } },
    ]);
    const other = await one.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'B' }] });
    expect(other.status).toBe(409);
    const { secret } = (await one.call('POST', '/tokens', { name: project, role: 'human' })).body.data;
    expect((await two.get(`${at}/events`, { authorization: `Bearer ${secret}` })).status).toBe(200);
    const code = (await one.loginLink()).split('login=')[1];
    expect((await request(`${two.url}/session`, 'POST', { code })).status).toBe(201);
  });

  it('kill -9 of one hub under load loses nothing that was acknowledged (HUB-4)', {
    timeout: 60_000,
  }, async () => {
    const { ledger, project } = await store.start();
    const home = freshHome();
    const [victim, survivor] = await Promise.all([serve(store.place, home), serve(store.place, home)]);
    const at = `/projects/${project}`;
    const socket = await openSocket(survivor, `/ws${at}?after=0`);
    const acknowledged: string[] = [];
    let asked = 0;
    const client = async (hub: typeof victim, name: string, until: () => boolean) => {
      for (let n = 0; !until(); n++) {
        const body = { source: 'plan', sourceId: `${name}-${n}`, questions: [`Which for ${name}-${n}?`] };
        asked += 1;
        const reply = await hub.call('POST', `${at}/notifications`, body).catch(() => undefined);
        if (!reply) return; // the hub is gone: whether this one was stored, nobody was told
        expect(reply.status).toBe(201);
        acknowledged.push(reply.body.data.id);
        if (acknowledged.length === 40) victim.child.kill('SIGKILL');
      }
    };
    const done = () => acknowledged.length >= 80;
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all([
      ...names.map((name) => client(victim, `v${name}`, done)),
      ...names.map((name) => client(survivor, `s${name}`, done)),
    ]);
    expect((await victim.ended).code).toBe(null);
    const stored = (await ledger.notifications.list({ projectId: project, limit: 1000 })).notifications;
    const ids = new Set(stored.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(stored.length).toBeLessThanOrEqual(asked);
    const events = await socket.has(stored.length);
    expect(events.map(({ number }) => number)).toEqual(stored.map((_, index) => index + 1));
  });
});
