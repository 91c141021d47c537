import { describe, expect, it } from 'vitest';
import { eachStore } from '../../ledger/support/stores.ts';
import { startHubOn } from '../support/start.ts';

eachStore((store) => {
  describe('tasks (HUB-1)', () => {
    it('are blocked, freed, finished and reopened; block_reason is an alias', async () => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'First' });
      await hub.call('POST', `${at}/tasks`, { id: 'plan/1', title: 'Second', dependsOn: ['a'] });
      const patch = async (id: string, body: unknown) =>
        (await hub.call('PATCH', `${at}/tasks/${encodeURIComponent(id)}`, body)).body.data;
      expect(await patch('a', { status: 'blocked', block_reason: 'No key' })).toMatchObject({
        status: 'blocked',
        blockReason: 'No key',
        block_reason: 'No key',
      });
      expect(await patch('a', { status: 'open' })).toMatchObject({ status: 'open', block_reason: null });
      const ready = async () =>
        (await hub.get(`${at}/tasks/ready`)).body.data.map((task: { id: string }) => task.id);
      expect(await ready()).toEqual(['a']);
      expect(await patch('a', { status: 'closed' })).toMatchObject({ status: 'closed' });
      expect(await ready()).toEqual(['plan/1']);
      expect(await patch('a', { status: 'open' })).toMatchObject({ status: 'open' });
      const claimed = await hub.call('POST', `${at}/tasks/a/claim`);
      expect(claimed.body.data).toMatchObject({
        status: 'in_progress',
        assignee: 'ann',
        fence: expect.any(Number),
      });
      expect((await hub.call('POST', `${at}/tasks/a/claim`, { worker: 'bob' })).status).toBe(409);
      expect(await patch('a', { assignee: null })).toMatchObject({ status: 'open', assignee: null });
      expect(await patch('a', { assignee: 'Sam' })).toMatchObject({ status: 'in_progress', assignee: 'Sam' });
      expect(
        await patch('a', { assignee: '', status: 'blocked', block_reason: 'Open Question' }),
      ).toMatchObject({
        status: 'blocked',
        assignee: null,
      });
      await patch('a', { status: 'open' });
      await patch('a', { assignee: 'Sam' });
      expect(await patch('a', { assignee: 'Sam', status: 'open' })).toMatchObject({ status: 'open' });
      expect((await hub.get(`${at}/tasks?status=open&limit=1`)).body).toMatchObject({
        data: [{ id: 'a' }],
        next: expect.any(String),
      });
    });

    it.each([
      ['a reason without a block', { block_reason: 'Open Question' }],
      ['nothing', {}],
      ['a status that is claimed, not set', { status: 'in_progress' }],
      ['a dependency on an unknown task', { dependsOn: ['nope'] }],
      ['an empty title', { title: ' ' }],
      ['two kinds of changes at once', { title: 'Other', status: 'closed' }],
    ])('%s is refused', async (_, body) => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'First' });
      expect((await hub.call('PATCH', `${at}/tasks/a`, body)).status).toBeGreaterThanOrEqual(400);
      expect((await hub.get(`${at}/tasks/ready`)).body.data).toHaveLength(1);
    });

    it('are edited by a person, and claimed in the name given with in_progress', async () => {
      const { hub, at } = await startHubOn(store);
      for (const id of ['a', 'b']) await hub.call('POST', `${at}/tasks`, { id, title: id, body: 'Why' });
      const edited = await hub.call('PATCH', `${at}/tasks/b`, { title: 'First now', priority: 0 });
      expect(edited.body.data).toMatchObject({
        title: 'First now',
        body: 'Why',
        priority: 0,
        status: 'open',
      });
      const ready = (await hub.get(`${at}/tasks/ready`)).body.data;
      expect(ready.map(({ id }: { id: string }) => id)).toEqual(['b', 'a']);
      expect(
        (await hub.call('PATCH', `${at}/tasks/a`, { status: 'in_progress', assignee: 'Sam' })).body.data,
      ).toMatchObject({ status: 'in_progress', assignee: 'Sam' });
      const other = await hub.call('PATCH', `${at}/tasks/a`, { status: 'in_progress', assignee: 'Frodo' });
      expect(other.status).toBe(409);
      const { secret } = (await hub.call('POST', '/tokens', { role: 'agent', name: 'coder' })).body.data;
      const agent = { authorization: `Bearer ${secret}` };
      expect((await hub.call('PATCH', `${at}/tasks/a`, { title: 'Mine' }, agent)).status).toBe(403);
    });
  });
});
