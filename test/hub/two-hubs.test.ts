import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Status } from '../../src/schema/notification.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { startFermata } from '../support/fermata.ts';
import { request, testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

/** The real program on a shared store. */
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
  it('an answer given to one hub reaches the sockets of the other; tokens and tickets are valid at both (HUB-4)', async () => {
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

  it('kill -9 of one hub under load: nothing is lost or duplicated, and its clients continue at the other (HUB-4)', {
    timeout: 120_000,
  }, async () => {
    const { ledger, project } = await store.start();
    const home = freshHome();
    const [victim, survivor] = await Promise.all([serve(store.place, home), serve(store.place, home)]);
    const at = `/projects/${project}`;
    const socket = await openSocket(survivor, `/ws${at}?after=0`);
    const answered = new Map<string, string>();
    let brokenOff = 0;
    /** If the hub died during a request, its outcome is unknown, so it is sent again to the other hub. */
    const send = async (hub: typeof victim, method: string, path: string, body: unknown) => {
      const reply = await hub.call(method, path, body).catch(() => undefined);
      if (reply) return { ...reply, hub };
      expect(hub).toBe(victim);
      brokenOff += 1;
      return { ...(await survivor.call(method, path, body)), hub: survivor };
    };
    const client = async (name: string, start: typeof victim) => {
      let hub = start;
      for (let n = 0; answered.size < 80; n++) {
        const text = `Which for ${name}-${n}?`;
        const question = { source: 'plan', sourceId: `${name}-${n}`, questions: [{ id: 'q1', text }] };
        const asked = await send(hub, 'POST', `${at}/notifications`, question);
        expect([200, 201]).toContain(asked.status);
        const { id } = asked.body.data;
        const answer = { responses: [{ questionId: 'q1', answer: `${name}-${n}` }] };
        const given = await send(asked.hub, 'PATCH', `${at}/notifications/${id}`, answer);
        expect(given.status).toBe(200);
        hub = given.hub;
        answered.set(id, `${name}-${n}`);
        if (answered.size === 30) victim.child.kill('SIGKILL');
      }
    };
    const clients = ['a', 'b', 'c', 'd'].flatMap((name) => [
      client(`v${name}`, victim),
      client(`s${name}`, survivor),
    ]);
    await Promise.all(clients);
    expect((await victim.ended).code).toBe(null);
    expect(brokenOff).toBeGreaterThan(0);
    const query = { projectId: project, status: Status.options, limit: 1000 };
    const stored = (await ledger.notifications.list(query)).notifications;
    const said = stored.map(({ id, responses: [only, ...more] }) => {
      expect(more).toEqual([]);
      return [id, only?.kind === 'answered' ? only.answer : undefined];
    });
    expect(new Map(said as [string, string][])).toEqual(answered);
    const events = await socket.has(2 * stored.length);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect((await ledger.projects.get(project)).lastEvent).toBe(2 * stored.length);
  });
});
