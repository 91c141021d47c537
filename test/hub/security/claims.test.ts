import { describe, expect, it } from 'vitest';
import { eachStore } from '../../ledger/support/stores.ts';
import type { TestHub } from '../support/hub.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

/** Every request by which an agent changes a task that somebody holds. */
const changes = (hub: TestHub, path: string, fence: number, headers: Record<string, string>) => [
  hub.call('PATCH', path, { status: 'closed', fence }, headers),
  hub.call('PATCH', path, { status: 'blocked', fence }, headers),
  hub.call('PATCH', path, { assignee: null, fence }, headers),
  hub.call('PATCH', path, { dependsOn: [], fence }, headers),
  hub.call('PATCH', path, { status: 'in_progress', fence }, headers),
  hub.call('POST', `${path}/result`, { status: 'success', fence }, headers),
  hub.call('POST', `${path}/result`, { status: 'success' }, headers),
];

eachStore((store) => {
  describe('a claim of an agent (HUB-3)', () => {
    it('is needed to change a task, with its number; and no agent can lift a block', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' }, agent.headers);
      const patch = async (change: object) =>
        (await hub.call('PATCH', `${at}/tasks/a`, change, agent.headers)).status;
      expect(await patch({ status: 'closed', fence: 0 }), 'nobody has claimed it').toBe(403);
      for (const change of [{ status: 'closed' }, { assignee: null }, { dependsOn: [] }])
        expect(await patch(change)).toBe(400);
      await hub.call('POST', `${at}/tasks/a/claim`, undefined, agent.headers);
      expect(await patch({ status: 'closed', fence: 7 })).toBe(409);
      await hub.call('PATCH', `${at}/tasks/a`, { status: 'blocked', blockReason: 'Stop' });
      const { fence } = (await hub.get(`${at}/tasks/a`)).body.data;
      expect(await patch({ status: 'open', fence })).toBe(403);
    });

    it('ends within an hour unless it is renewed, so that an agent that is gone keeps no task', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const call = async (method: string, path: string, body: object) =>
        (await hub.call(method, `${at}${path}`, body, agent.headers)).status;
      expect(await call('POST', '/tasks/a/claim', { leaseSeconds: 3601 })).toBe(400);
      expect(await call('POST', '/tasks/a/claim', { leaseSeconds: 3600 })).toBe(200);
      const renewal = { status: 'in_progress', fence: 1 };
      expect(await call('PATCH', '/tasks/a', { ...renewal, leaseSeconds: 3601 })).toBe(400);
      expect(await call('PATCH', '/tasks/a', renewal)).toBe(200);
      const run = { agent: 'x', source: 'execute', sourceId: 'y' };
      expect(await call('POST', '/runs', { ...run, leaseSeconds: 3601 })).toBe(400);
    });

    it('shows its number to nobody else, and someone who guesses it cannot use it', async () => {
      const { hub, at } = await startHubOn(store);
      const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const path = `${at}/tasks/a`;
      const claimed = await hub.call('POST', `${path}/claim`, undefined, agent.headers);
      expect(claimed.body.data).toMatchObject({ assignee: agent.name, fence: 1 });
      const asked = { ...question, source: 'execute', sourceId: 'a' };
      const replies = await Promise.all([
        hub.get(`${at}/tasks`, other.headers),
        hub.get(path, other.headers),
        hub.call('POST', `${path}/claim`, undefined, other.headers),
        ...changes(hub, path, 1, other.headers),
        hub.call('POST', `${at}/notifications`, asked, other.headers),
        hub.call('POST', `${at}/notifications`, { ...asked, fence: 1 }, other.headers),
        hub.call('POST', `${at}/notifications`, { ...asked, source: 'gate', fence: 1 }, other.headers),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 409, ...Array(10).fill(403)]);
      for (const { body, status } of replies)
        expect(JSON.stringify(body), `${status}`).not.toMatch(/fence"|number 1\b|is 1\b/);
      expect((await hub.get(path)).body.data).toMatchObject({ status: 'in_progress', fence: 1 });
      expect((await hub.get(path, agent.headers)).body.data.fence).toBe(1);
    });

    it('in another’s name belongs to the claimant and to the named agent', async () => {
      const { hub, at } = await startHubOn(store);
      const [pool, named, other] = await Promise.all([1, 2, 3].map(() => tokenFor(hub, 'agent')));
      const claim = async (id: string, worker: string | undefined) => {
        await hub.call('POST', `${at}/tasks`, { id, title: id });
        return (await hub.call('POST', `${at}/tasks/${id}/claim`, { worker }, pool?.headers)).body.data;
      };
      expect(await claim('a', 'pool-1')).toMatchObject({
        assignee: 'pool-1',
        claimedBy: pool?.name,
        fence: 1,
      });
      await claim('b', named?.name);
      for (const id of ['a', 'b']) {
        const refused = await Promise.all(changes(hub, `${at}/tasks/${id}`, 1, other?.headers ?? {}));
        expect(refused.map(({ status }) => status)).toEqual(Array(7).fill(403));
      }
      const close = async (id: string, headers = {}) =>
        (await hub.call('PATCH', `${at}/tasks/${id}`, { status: 'closed', fence: 1 }, headers)).body.data;
      expect(await close('a', pool?.headers)).toMatchObject({ status: 'closed', claimedBy: null });
      expect(await close('b', named?.headers)).toMatchObject({ status: 'closed' });
    });

    it('is renewed by a heartbeat, even from another machine and while it waits for an answer', async () => {
      const { ledger, project, hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const path = `${at}/tasks/a`;
      const { fence, leaseUntil } = (
        await hub.call('POST', `${path}/claim`, { leaseSeconds: 60 }, agent.headers)
      ).body.data;
      const renew = (change: object = {}) =>
        hub.call('PATCH', path, { status: 'in_progress', fence, ...change }, agent.headers);
      const later = (await renew({ leaseSeconds: 3600 })).body.data;
      expect(Date.parse(later.leaseUntil)).toBeGreaterThan(Date.parse(leaseUntil) + 3_000_000);
      expect(later).toMatchObject({ assignee: agent.name, fence });
      const before = (await ledger.projects.get(project)).lastEvent;
      expect(Date.parse((await renew()).body.data.leaseUntil)).toBeLessThan(Date.now() + 121_000);
      expect((await ledger.projects.get(project)).lastEvent, 'a sign of life is no news').toBe(before);
      expect((await renew({ fence: fence + 1 })).status).toBe(409);
      for (const leaseSeconds of [0, -1, 1e12, '60'])
        expect((await renew({ leaseSeconds })).status).toBe(400);
      expect((await hub.call('PATCH', path, { status: 'closed', fence, leaseSeconds: 5 })).status).toBe(400);

      const asked = { ...question, source: 'execute', sourceId: 'a', fence, keep: true };
      const made = await hub.call('POST', `${at}/notifications`, asked, agent.headers);
      expect(made.status).toBe(201);
      expect((await renew()).body.data).toMatchObject({ status: 'blocked', assignee: null });
      const answer = { responses: [{ questionId: 'q1', answer: 'A' }] };
      await hub.call('PATCH', `${at}/notifications/${made.body.data.id}`, answer);
      expect((await hub.get(path)).body.data).toMatchObject({ status: 'in_progress', assignee: agent.name });
      await hub.call('PATCH', path, { status: 'closed', fence }, agent.headers);
      expect((await renew()).status, 'nobody holds it any more').toBe(403);
    });

    it('that has expired makes the task available again, and its old number is refused', async () => {
      const { hub, at } = await startHubOn(store);
      const [first, second] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const path = `${at}/tasks/a`;
      await hub.call('POST', `${path}/claim`, { leaseSeconds: 0.01 }, first.headers);
      const ready = async () => (await hub.get(`${at}/tasks/ready`, second.headers)).body.data;
      await expect.poll(ready).toMatchObject([{ id: 'a', assignee: first.name }]);
      const taken = await hub.call('POST', `${path}/claim`, undefined, second.headers);
      expect(taken).toMatchObject({ status: 200, body: { data: { fence: 2, assignee: second.name } } });
      expect(await ready()).toEqual([]);
      const late = { status: 'closed', fence: 1 };
      expect((await hub.call('PATCH', path, late, first.headers)).status).toBe(403);
    });
  });
});
