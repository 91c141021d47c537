import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

const remote = 'ssh://git@example.com/shop.git';
const claim = { worker: 'w', leaseSeconds: 60 };

/** A phase of the plan `shop`, as a run records it. */
const phase = (ledger: Ledger, projectId: string, number: string) =>
  ledger.tasks.ensure(
    { projectId, plan: 'plans/shop' },
    [{ projectId, id: `shop/${number}`, title: `Phase ${number}` }],
    new Set(),
    ann,
  );

eachStoreInLong((store) => {
  describe('the queue for workers', () => {
    it('TEAM-2 TEAM-4 a person queues a task without a folder on the hub, and withdraws it', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      const workers = { branch: 'main', remote: 'https://ann:secret@example.com/shop.git', needs: ['gpu'] };
      const queued = await hub.call('POST', `${at}/tasks/a/start`, { agent: 'codex', workers });
      expect(queued).toMatchObject({ status: 200, body: { data: { id: 'a', work: { running: true } } } });
      expect(await ledger.queue.list(project)).toMatchObject([
        {
          ...{ scope: 'a', needs: ['codex', 'gpu'], work: { kind: 'task' } },
          options: { featureBranch: 'main', remote: 'https://example.com/shop.git' },
        },
      ]);
      const group = {
        projectId: project,
        needs: (await ledger.queue.groups()).find((each) => each.projectId === project)?.needs ?? '',
      };
      const taken = await ledger.queue.take(group, 'h', claim, ann);
      expect(taken?.id).toBe('a');
      expect((await hub.call('POST', `${at}/tasks/a/stop`)).status).toBe(200);
      expect(await ledger.tasks.get(project, 'a')).toMatchObject({ status: 'open', assignee: null });
      expect(await ledger.queue.take(group, 'h', claim, ann)).toBeUndefined();
    });

    it('TEAM-2 a plan is queued with the phases in the ledger, and later with the same options as before', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await phase(ledger, project, '1');
      await phase(ledger, project, '2');
      const run = (start: object) =>
        hub.call('POST', `${at}/tasks`, { kind: 'run', input: { plan: 'plans/shop' }, start });
      await run({ workers: { branch: 'shop', remote } });
      await run({ agent: 'codex', workers: {} });
      expect(await ledger.queue.list(project)).toMatchObject([
        {
          ...{ scope: 'shop/', needs: ['codex'], options: { featureBranch: 'shop', remote } },
          work: { kind: 'phase', input: { plan: 'plans/shop' } },
        },
      ]);
      expect((await hub.call('POST', `${at}/tasks/run:shop/stop`)).status).toBe(200);
      expect(await ledger.queue.find(project, 'shop/')).toBeUndefined();
    });

    it('TEAM-2 HUB-1 a plan may have any name that a folder can have; all routes refuse others in the same words', async () => {
      const { hub, at } = await startHubOn(store);
      const workers = { branch: 'shop', remote };
      const tries = async (name: string) => {
        const add = (kind: string, more: object = {}) =>
          hub.call('POST', `${at}/tasks`, {
            kind,
            input: { plan: `plans/${name}`, ...more },
            start: { workers },
          });
        return [
          await hub.get(`${at}/plans/${encodeURIComponent(name)}`),
          await add('run'),
          await add('draft', { idea: 'A shop.' }),
        ];
      };
      for (const bad of ['a/b', '.git', 'a\\b', '../x', 'a\nb', 'x'.repeat(201)])
        for (const { status, body } of await tries(bad))
          expect([status, body.error.message], bad).toEqual([
            400,
            `"${bad.slice(0, 200)}" cannot name a plan. Use up to 200 characters, no slashes, and no dot at the beginning.`,
          ]);
      const good = await tries('Spring sale (2)');
      expect(good.map(({ status }) => status)).toEqual([200, 201, 201]);
    });

    it('TEAM-2 TEAM-4 a plan that the ledger does not know yet is shown, and left to a worker that reads it first', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      expect((await hub.get(`${at}/plans`)).body.data).toEqual([]);
      const unknown = (await hub.get(`${at}/plans/shop`)).body.data;
      expect(unknown).toMatchObject({ name: 'shop', title: 'shop', phases: [], audit: null, files: {} });
      expect((await hub.get(`${at}/plans/${encodeURIComponent('../x')}`)).status).toBe(400);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      await hub.call('POST', `${at}/tasks/a/start`, { workers: { branch: 'main', remote } });
      const plan = `${at}/plans/shop`;
      const run = (start: object) =>
        hub.call('POST', `${at}/tasks`, { kind: 'run', input: { plan: 'plans/shop' }, start });
      const idle = (await hub.get(plan)).body.data.work;
      expect(idle.workers, 'a plan has a branch of its own').toMatchObject({ branch: null, remote });
      expect((await run({})).body.error.message).toContain('Name the branch');
      const workers = { branch: 'shop', needs: ['gpu'] };
      const started = await run({ agent: 'codex', workers });
      expect(started.body.data.work, JSON.stringify(started.body)).toMatchObject({
        running: true,
        workers: { queued: true, branch: 'shop', wait: 'waits for a worker with codex, gpu' },
      });
      expect(await ledger.queue.find(project, 'run:shop')).toMatchObject({
        needs: ['codex', 'gpu'],
        work: { kind: 'run', input: { plan: 'plans/shop' } },
        options: { featureBranch: 'shop', remote },
      });
      expect((await hub.get(`${at}/plans`)).body.data).toMatchObject([{ name: 'shop', from: 'ledger' }]);
      await ledger.tasks.block(project, 'run:shop', 'Failed: no such plan', ann);
      const progress = async () => (await hub.get(plan)).body.data.work;
      expect(await progress()).toMatchObject({ running: false, error: 'no such plan' });
      expect((await run({})).body.data.work).toMatchObject({ running: true });
      await hub.call('POST', `${at}/tasks/run:shop/stop`);
      expect(await progress()).toMatchObject({ running: false });

      const content = 'Phase 1: One\nPhase 2: Two\n  starts after 1\n  gate "tests" runs\n    $ npm test\n';
      await ledger.trust.accept(project, [{ name: 'plan:shop', content }], ann);
      await phase(ledger, project, '1');
      await ledger.tasks.end(project, 'shop/1', ann);
      expect((await hub.get(`${at}/plans/shop`)).body.data.phases).toMatchObject([
        { id: '1', title: 'One', status: 'completed' },
        { id: '2', status: 'pending', depends_on: ['1'], gates: [{ name: 'tests', command: 'npm test' }] },
      ]);
      expect((await hub.get(`${at}/plans`)).body.data).toMatchObject([{ phases: 2, completed: 1 }]);
    });

    it('TEAM-2 work that workers could not do is refused, with what to do instead', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      await ledger.tasks.add({ projectId: project, id: 'b', title: 'B' }, ann);
      const refused = async (task: string, body: object) =>
        (await hub.call('POST', `${at}/tasks/${task}/start`, { workers: body })).body.error?.message;
      expect(await refused('a', { remote })).toBe('Name the branch to merge into ("branch").');
      expect(await refused('a', { branch: 'a..b', remote })).toBe('"a..b" is not the name of a branch.');
      expect(await refused('a', { branch: 'main' })).toBe(
        'Give an address that workers can clone the project from ("remote").',
      );
      for (const bad of ['ext::sh -c id', '--upload-pack=x', 'rope://x/y', '../shop'])
        expect(await refused('a', { branch: 'main', remote: bad })).toContain('Workers cannot clone from');
      expect(await refused('b', { branch: 'main', remote })).toContain('has only a title');
      expect(await ledger.queue.list(project)).toEqual([]);
    });

    it('TEAM-2 TEAM-4 without a folder the hub leaves its work to workers, and says when none can do it', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      const text = 'It is slow.';
      const { id } = (await hub.call('POST', `${at}/feedback`, { text })).body.data;
      const task = `${at}/tasks/${id}`;
      const work = `${task}/start`;
      const idle = (await hub.get(task)).body.data.work;
      const nowhere = { queued: false, branch: null, remote: null, wait: null };
      expect(idle).toMatchObject({ running: false, workers: nowhere });
      expect((await hub.call('POST', work, {})).body.error.message).toContain('Name the branch');
      const workers = { branch: 'main', remote };
      const started = await hub.call('POST', work, { agent: 'codex', workers });
      expect(started).toMatchObject({
        status: 200,
        body: {
          data: { work: { running: true, workers: { queued: true, wait: 'waits for a worker with codex' } } },
        },
      });
      const self = { home: 'h', name: 'w', host: 'h', abilities: ['codex'], slots: 1, version: '1' };
      await ledger.workers.seen({ ...self, id: `w-${project}`, projects: [project] });
      expect((await hub.get(task)).body.data.work.workers.wait).toBeNull();
      await ledger.tasks.block(project, id, 'Failed: no key', ann);
      expect((await hub.get(task)).body.data.work).toMatchObject({ running: false, error: 'no key' });
      expect((await hub.call('POST', work, {})).body.data.work, 'again, as before').toMatchObject({
        running: true,
      });
      expect((await hub.call('POST', `${task}/stop`)).body.data.work).toMatchObject({ running: false });
      expect(await ledger.tasks.get(project, id), 'kept for later').toMatchObject({
        status: 'open',
        needs: null,
      });
    });

    it.each([
      ['draft', { idea: 'A shop' }],
      ['convert', { text: 'First this.' }],
      ['plan_from_issues', { repo: 'a/b', limit: 5 }],
    ])('TEAM-2 WORK-6 a task of kind %s is left to workers', async (kind, body) => {
      const scope = `${kind}:shop`;
      const { hub, at, ledger, project } = await startHubOn(store);
      const workers = { branch: 'main', remote, needs: ['gpu'] };
      const add = (plan: string) =>
        hub.call('POST', `${at}/tasks`, { kind, input: { plan, ...body }, start: { workers } });
      const started = await add('plans/shop');
      expect(started.status, JSON.stringify(started.body)).toBe(201);
      expect(await ledger.queue.find(project, scope)).toMatchObject({
        ...{ scope, needs: ['claude', 'gpu'], options: { featureBranch: 'main', remote } },
        work: { kind, input: { ...body, plan: 'plans/shop' } },
      });
      expect((await add('plans/../x')).status).toBe(400);
    });

    it('TEAM-2 a review is left to workers, by an agent that one of them has', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      const review = (workers: object = { remote, needs: ['gpu'] }) =>
        hub.call('POST', `${at}/tasks`, {
          kind: 'review',
          input: { reviews: 'shop/2-A' },
          start: { workers },
        });
      expect((await review()).status, 'no such phase').toBe(404);
      await ledger.tasks.add({ projectId: project, id: 'shop/2-A', title: 'Two' }, ann);
      expect((await review()).body.error.message).toContain('shop/2-A has no worktree to review.');
      const branch = 'shop--implementation-2-A';
      const data = { specialist: 'be', protocol: 'implementation' };
      await ledger.phases.append(project, 'shop/2-A', ann, () => ({
        ...{ kind: 'started' as const, iteration: 1, data, branch },
      }));
      const phase = { plan: 'plans/shop', phase: '2', variant: 'A', baseCommit: 'a'.repeat(40) };
      const path = '/on/another/machine';
      await ledger.worktrees.record(
        { projectId: project, branch, path, featureBranch: 'shop', ...phase },
        ann,
      );
      const self = { home: 'h', name: 'w', host: 'h', slots: 1, version: '1', projects: null };
      await ledger.workers.seen({ ...self, id: `w-${project}`, abilities: ['codex', 'gpu'] });
      const started = await review();
      expect(started, JSON.stringify(started.body)).toMatchObject({
        status: 201,
        body: {
          data: { id: 'review:shop:2-A', work: { running: true, workers: { queued: true, wait: null } } },
        },
      });
      expect(await ledger.queue.find(project, 'review:shop:2-A')).toMatchObject({
        needs: ['codex', 'gpu'],
        work: { kind: 'review', input: { plan: 'plans/shop', reviews: 'shop/2-A', branch } },
        options: { featureBranch: 'shop' },
      });
      expect((await review({ branch: 'main' })).body.error.message).toContain('Leave out the branch');
      const stopped = await hub.call('POST', `${at}/tasks/review:shop:2-A/stop`);
      expect(stopped.body.data.work).toMatchObject({ running: false });
    });

    it('TEAM-2 agents neither queue nor withdraw', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A', body: 'Do it.' }, ann);
      const { headers } = await tokenFor(hub, 'agent', project);
      for (const [method, body] of [
        ['start', { workers: { branch: 'main', remote } }],
        ['stop', undefined],
      ] as const)
        expect((await hub.call('POST', `${at}/tasks/a/${method}`, body, headers)).status).toBe(403);
    });
  });
});
