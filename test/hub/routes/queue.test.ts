import { describe, expect, it } from 'vitest';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

const remote = 'ssh://git@example.com/shop.git';
const claim = { worker: 'w', leaseSeconds: 60 };

eachStore((store) => {
  describe('the queue for workers', () => {
    it('TEAM-2 TEAM-4 a person queues a task without a folder on the hub, and withdraws it', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      const input = { branch: 'main', remote: 'https://ann:secret@example.com/shop.git', needs: ['gpu'] };
      const queued = await hub.call('POST', `${at}/tasks/a/queue`, { ...input, agent: 'codex' });
      expect(queued).toMatchObject({
        status: 201,
        body: {
          data: {
            scope: 'a',
            needs: ['codex', 'gpu'],
            work: { kind: 'task', featureBranch: 'main', remote: 'https://example.com/shop.git' },
          },
        },
      });
      expect((await hub.get(`${at}/queue`)).body.data).toEqual([queued.body.data]);
      const group = {
        projectId: project,
        needs: (await ledger.workOrders.groups()).find((each) => each.projectId === project)?.needs ?? '',
      };
      const taken = await ledger.workOrders.take(group, 'h', claim, coder);
      expect(taken?.id).toBe('a');
      expect((await hub.call('DELETE', `${at}/tasks/a/queue`)).status).toBe(200);
      expect(await ledger.tasks.get(project, 'a')).toMatchObject({ status: 'open', assignee: null });
      expect(await ledger.workOrders.take(group, 'h', claim, coder)).toBeUndefined();
      expect(await hub.call('DELETE', `${at}/tasks/a/queue`)).toMatchObject({
        status: 404,
        body: { error: { message: 'This task is not queued for workers.' } },
      });
    });

    it('TEAM-2 a plan is queued by the phases that the ledger has, later with what was said before', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      expect((await hub.call('POST', `${at}/plans/shop/queue`, { branch: 'shop', remote })).status).toBe(404);
      await ledger.tasks.add({ projectId: project, id: 'shop/1', title: 'One' }, ann);
      await hub.call('POST', `${at}/plans/shop/queue`, { branch: 'shop', remote });
      const again = await hub.call('POST', `${at}/plans/shop/queue`, { agent: 'codex' });
      expect(again.body.data).toMatchObject({
        scope: 'shop/',
        needs: ['codex'],
        work: { kind: 'plan', plan: 'plans/shop', featureBranch: 'shop', remote },
      });
      expect((await hub.get(`${at}/queue`)).body.data).toHaveLength(1);
      expect((await hub.call('DELETE', `${at}/plans/shop/queue`)).status).toBe(200);
    });

    it('TEAM-2 what workers could not do is refused, with what to do', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      await ledger.tasks.add({ projectId: project, id: 'b', title: 'B' }, ann);
      const refused = async (task: string, body: object) =>
        (await hub.call('POST', `${at}/tasks/${task}/queue`, body)).body.error?.message;
      expect(await refused('a', { remote })).toBe(
        'Say which branch the work is to be merged into, with "branch".',
      );
      expect(await refused('a', { branch: 'a..b', remote })).toBe('"a..b" is not the name of a branch.');
      expect(await refused('a', { branch: 'main' })).toBe(
        'Say where workers can clone the project from, with "remote".',
      );
      for (const bad of ['ext::sh -c id', '--upload-pack=x', 'rope://x/y', '../shop'])
        expect(await refused('a', { branch: 'main', remote: bad })).toContain('Workers cannot clone from');
      expect(await refused('b', { branch: 'main', remote })).toContain('has only a title');
      expect((await hub.get(`${at}/queue`)).body.data).toEqual([]);
    });

    it('TEAM-2 agents neither queue nor withdraw', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      const { headers } = await tokenFor(hub, 'agent', project);
      for (const [method, body] of [
        ['POST', { branch: 'main', remote }],
        ['DELETE', undefined],
      ] as const)
        expect((await hub.call(method, `${at}/tasks/a/queue`, body, headers)).status).toBe(403);
    });
  });
});
