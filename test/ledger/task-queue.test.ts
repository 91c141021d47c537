import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Task } from '../../src/schema/task.ts';
import type { Placing } from '../../src/schema/work.ts';
import { answers, ask, askFor, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const claim = (worker = 'w1') => ({ worker, leaseSeconds: 60 });

const order = (projectId: string, scope = 'p/', needs = ['claude']): Placing => ({
  projectId,
  scope,
  needs,
  options: { featureBranch: 'p', remote: null, options: { agent: 'claude' } },
});

async function plan(ledger: Ledger, projectId: string, phases: Record<string, string[]>, name = 'p') {
  const tasks = Object.entries(phases).map(([id, dependsOn]) => ({
    ...{ projectId, id: `${name}/${id}`, title: id },
    dependsOn: dependsOn.map((on) => `${name}/${on}`),
  }));
  await ledger.tasks.ensure({ projectId, plan: `plans/${name}` }, tasks, new Set(), ann);
}

describe('work for workers', () => {
  eachStore((store) => {
    const ready = async (ledger: Ledger, project: string) =>
      (await ledger.queue.groups()).filter(({ projectId }) => projectId === project);

    it('TEAM-2 workers take only what a person asked for, each task once, in order', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [], 2: [], 3: ['1'] });
      await ledger.tasks.add({ projectId: project, id: 'other', title: 'nobody asked for this' }, ann);
      expect(await ready(ledger, project)).toEqual([]);
      await ledger.queue.place(order(project), ann);
      const group = { projectId: project, needs: 'claude' };
      expect(await ready(ledger, project)).toEqual([group]);
      const takeOne = () => ledger.queue.take(group, 'home', claim(), ann);
      const taken = await Promise.all([takeOne(), takeOne(), takeOne()]);
      expect(taken.map((task) => task?.id)).toEqual(['p/1', 'p/2', undefined]);
      await ledger.tasks.end(project, 'p/1', ann, taken[0]?.fence);
      expect(await takeOne()).toMatchObject({
        id: 'p/3',
        status: 'in_progress',
        assignee: 'w1',
        needs: ['claude'],
      });
      expect(await ledger.queue.find(project, 'p/3')).toMatchObject({
        scope: 'p/',
        work: { kind: 'phase', input: { plan: 'plans/p' } },
      });
      expect(await ledger.queue.list(project)).toMatchObject([{ scope: 'p/', by: ann }]);
      expect((await ledger.tasks.get(project, 'other')).needs).toBeNull();
    });

    it('TEAM-2 an agent cannot queue work for workers, and the name of an ability is checked', async () => {
      const { ledger, project } = await store.start();
      expect(await refusal(ledger.queue.place(order(project), coder))).toMatchObject({
        code: 'forbidden',
      });
      const wrong = order(project, 'p/', ['Big GPU']);
      expect(await refusal(ledger.queue.place(wrong, ann))).toMatchObject({ code: 'invalid' });
    });

    it('TEAM-2 an order for one task does not affect tasks whose ids begin the same', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['t1', 't10']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      await ledger.queue.place(order(project, 't1'), ann);
      expect((await ledger.tasks.get(project, 't1')).needs).toEqual(['claude']);
      expect((await ledger.tasks.get(project, 't10')).needs).toBeNull();
    });

    it('TEAM-2 WORK-6 workers stop what is no longer queued, and nobody takes the rest', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [], 2: [] });
      await ledger.queue.place(order(project), ann);
      const task = await ledger.queue.take({ projectId: project, needs: 'claude' }, 'home', claim(), ann);
      expect(await ledger.queue.stop(project, 'p/', ann)).toBe(true);
      expect(await ledger.queue.stop(project, 'p/', ann)).toBe(false);
      expect(await ready(ledger, project)).toEqual([]);
      const heartbeat = ledger.tasks.heartbeat(project, 'p/1', task?.fence ?? 0, 60, ann);
      expect(await refusal(heartbeat)).toMatchObject({ code: 'stale' });
      const block = ledger.tasks.block(project, 'p/1', 'It failed.', ann, task?.fence ?? 0);
      expect(await refusal(block)).toMatchObject({ code: 'stale' });
      expect(await ledger.tasks.get(project, 'p/1')).toMatchObject({ status: 'open', blockReason: null });
    });

    const idea = 'A shop, key sk-ant-abcdefghijklmnopqrst';
    const draft = async (ledger: Ledger, projectId: string, id = 'draft:shop', wanted = idea) => {
      const work = { kind: 'draft' as const, input: { plan: 'plans/shop', idea: wanted } };
      await ledger.tasks.submit({ projectId, id, title: 'Draft the plan shop' }, work, ann);
      await ledger.queue.place(order(projectId, id), ann);
    };

    it('WORK-6 a paused task is taken by nobody, over restarts, until it is resumed', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [], 2: ['1'] });
      await ledger.queue.place(order(project), ann);
      const group = { projectId: project, needs: 'claude' };
      const held = await ledger.queue.take(group, 'home', claim(), ann);
      expect(await refusal(ledger.queue.pause(project, 'p/', coder))).toMatchObject({ code: 'forbidden' });
      expect(await ledger.queue.pause(project, 'p/', ann)).toBe(true);
      const heartbeat = ledger.tasks.heartbeat(project, 'p/1', held?.fence ?? 0, 60, ann);
      expect(await refusal(heartbeat), 'whoever had it stops').toMatchObject({ code: 'stale' });
      const later = await store.open();
      expect(await later.queue.take(group, 'home', claim(), ann)).toBeUndefined();
      expect(await later.tasks.claimNext(project, claim(), ann, { within: 'p/' })).toBeUndefined();
      expect(await refusal(later.tasks.claim(project, 'p/1', claim(), ann))).toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('resume p/1'),
      });
      expect(await later.queue.resume(project, 'p/', ann)).toBe(true);
      expect(await later.queue.take(group, 'home', claim(), ann)).toMatchObject({ id: 'p/1', paused: false });
    });

    it('WORK-6 a draft that depends on a review waits for it, as a phase waits for a phase', async () => {
      const { ledger, project } = await store.start();
      const review = { kind: 'review' as const, input: { plan: 'plans/p', reviews: 'p/1', branch: 'p-1' } };
      await ledger.tasks.submit({ projectId: project, id: 'review:p:1', title: 'Review' }, review, ann);
      const after = { projectId: project, id: 'draft:next', title: 'Next', dependsOn: ['review:p:1'] };
      const work = { kind: 'draft' as const, input: { plan: 'plans/next', idea: 'Next' } };
      await ledger.tasks.submit(after, work, ann);
      await ledger.queue.place(order(project, 'draft:next'), ann);
      const group = { projectId: project, needs: 'claude' };
      expect(await ledger.queue.take(group, 'home', claim(), ann)).toBeUndefined();
      expect(await refusal(ledger.tasks.claim(project, 'draft:next', claim(), ann))).toMatchObject({
        code: 'conflict',
      });
      await ledger.tasks.end(project, 'review:p:1', ann);
      expect(await ledger.queue.take(group, 'home', claim(), ann)).toMatchObject({ id: 'draft:next' });
    });

    it('TEAM-2 WORK-1 WORK-2 a draft is a task, which one worker takes and no agent can; the same wish again is the same task', async () => {
      const { ledger, project } = await store.start();
      await draft(ledger, project);
      const found = await ledger.queue.find(project, 'draft:shop');
      expect(found?.work, 'secrets are not kept').toMatchObject({
        input: { idea: 'A shop, key [redacted]' },
      });
      const byAgent = ledger.tasks.claim(project, 'draft:shop', claim(), coder);
      expect(await refusal(byAgent)).toMatchObject({ code: 'forbidden' });
      const group = { projectId: project, needs: 'claude' };
      const takeIt = () => ledger.queue.take(group, 'home', claim(), ann);
      const taken = await Promise.all([takeIt(), takeIt()]);
      expect(taken.map((task) => task?.title)).toEqual(['Draft the plan shop', undefined]);
      await draft(ledger, project);
      const other = draft(ledger, project, 'draft:shop', 'Another shop');
      expect(await refusal(other)).toMatchObject({ code: 'conflict' });
      await ledger.tasks.end(project, 'draft:shop', ann, taken[0]?.fence);
      expect(await takeIt()).toBeUndefined();
      await draft(ledger, project);
      expect(await takeIt(), 'queued again').toMatchObject({ id: 'draft:shop' });
    });

    it('TEAM-2 WORK-6 withdrawn work is over, what depends on it waits, and a task of that name is left alone', async () => {
      const { ledger, project } = await store.start();
      await draft(ledger, project);
      const group = { projectId: project, needs: 'claude' };
      const task = await ledger.queue.take(group, 'home', claim(), ann);
      const after = { projectId: project, id: 'after', title: 'After', dependsOn: ['draft:shop'] };
      await ledger.tasks.add(after, ann);
      await ledger.queue.withdraw(project, 'draft:shop', ann);
      expect(await ledger.tasks.ready(project)).toEqual([]);
      expect(await ledger.tasks.get(project, 'draft:shop')).toMatchObject({
        status: 'blocked',
        blockReason: 'Withdrawn',
      });
      const heartbeat = ledger.tasks.heartbeat(project, 'draft:shop', task?.fence ?? 0, 60, ann);
      expect(await refusal(heartbeat)).toMatchObject({ code: 'stale' });
      await ledger.tasks.add({ projectId: project, id: 'draft:mine', title: 'Mine' }, ann);
      const other = draft(ledger, project, 'draft:mine');
      expect(await refusal(other)).toMatchObject({ code: 'conflict' });
      expect((await ledger.tasks.get(project, 'draft:mine')).needs).toBeNull();
    });

    it.each([
      ['withdrawn', (at: Ledger, project: string) => at.queue.withdraw(project, 'draft:shop', ann)],
      ['closed', (at: Ledger, project: string) => at.tasks.end(project, 'draft:shop', ann)],
    ])('TEAM-2 the questions of a draft that was %s leave the inbox, and only those', async (how, end) => {
      const { ledger, project } = await store.start();
      await draft(ledger, project);
      const asks = async (taskId: string) => {
        const asker = { projectId: project, source: 'plan' as const, sourceId: 'a-shop' };
        const data = { for: 'answer' as const, about: 'x' };
        const { id: run } = await ledger.runs.start(
          { ...asker, taskId, agent: 'claude', cwd: '/', data },
          claim(),
          ann,
        );
        const questions = [{ id: 'q1', text: `Which of ${taskId}?` }];
        return (await ask(ledger, project, { ...asker, questions, resume: { agent: 'claude', run } })).id;
      };
      const [own, others] = [await asks('draft:shop'), await asks('draft:other')];
      await end(ledger, project);
      expect(await ledger.notifications.get(project, own)).toMatchObject({
        status: 'withdrawn',
        reason: expect.stringContaining(`draft:shop was ${how}.`),
      });
      expect(await ledger.notifications.get(project, others)).toMatchObject({ status: 'open' });
    });

    it('TEAM-3 another machine leaves an answered task to the run that has its session, while that is alive', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [] });
      await plan(ledger, project, { 1: [] }, 'q');
      const next = (home: string, within = 'p/') =>
        ledger.tasks.claimNext(project, claim(home), ann, { within, home });
      const release = (task: Task | undefined) =>
        ledger.tasks.release(project, task?.id ?? '', task?.fence ?? 0, ann);
      const run = {
        ...{ id: 'run-1@a:1', home: 'a', name: 'ann', host: 'a', abilities: [], slots: 1, version: '' },
        ...{ projects: [project], within: 'p/' },
      };
      await ledger.workers.seen(run);
      await release(await next('a'));
      expect(await next('b'), 'its run is alive').toBeUndefined();
      await ledger.queue.place(order(project), ann);
      const group = { projectId: project, needs: 'claude' };
      expect(await ledger.queue.take(group, 'b', claim(), ann), 'for workers too').toBeUndefined();
      await ledger.queue.stop(project, 'p/', ann);
      await release(await next('a', 'q/'));
      expect(await next('b', 'q/'), 'that run is of another plan').toMatchObject({ id: 'q/1' });
      expect(await ledger.workers.forgetDead((process) => process === 'a:2')).toBe(false);
      expect(await ledger.workers.forgetDead((process) => process === 'a:1')).toBe(true);
      await release(await next('b'));
      await ledger.workers.seen(run);
      await release(await next('b'));
      expect(await next('a'), 'the session is in b now, where nobody is alive').toMatchObject({ id: 'p/1' });
      await ledger.workers.gone(run.id);
    });

    it('TEAM-2 tasks of a worker that is gone are released', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [] });
      await ledger.queue.place(order(project), ann);
      const group = { projectId: project, needs: 'claude' };
      await ledger.queue.take(group, 'home', claim('dead'), ann);
      await ledger.queue.releaseAbandoned(() => false, ann);
      expect(await ready(ledger, project)).toEqual([]);
      await ledger.queue.releaseAbandoned((worker) => worker === 'dead', ann);
      expect(await ledger.queue.take(group, 'home', claim('w2'), ann)).toMatchObject({
        id: 'p/1',
        fence: 3,
      });
    });

    it('TEAM-3 an answered task goes to the home of its session while a worker there is alive, else to anyone', async () => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [] });
      await ledger.queue.place(order(project), ann);
      const group = { projectId: project, needs: 'claude' };
      const here = `here-${project}`;
      const worker = { id: `w-${project}`, home: here, name: 'one', host: 'h', abilities: ['claude'] };
      await ledger.workers.seen({ ...worker, slots: 1, projects: null, version: '1' });
      const task = await ledger.queue.take(group, here, claim(), ann);
      const asked = await askFor(ledger, project, 'p/1', { fence: task?.fence });
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'x' }), ann);
      expect(await ledger.queue.take(group, 'elsewhere', claim('w2'), ann)).toBeUndefined();
      expect(await ledger.queue.atHome(here)).toEqual([{ ...group, id: 'p/1' }]);
      const takenElsewhere = async () => {
        const taken = await ledger.queue.take({ ...group, id: 'p/1' }, 'elsewhere', claim('w2'), ann);
        if (taken) await ledger.tasks.release(project, 'p/1', taken.fence, ann);
        return taken?.id;
      };
      await ledger.workers.seen({ ...worker, slots: 1, projects: ['x', project], version: '1' });
      expect(await takenElsewhere()).toBeUndefined();
      await ledger.workers.seen({ ...worker, slots: 1, projects: ['x'], version: '1' });
      expect(await takenElsewhere(), 'that worker serves other projects').toBe('p/1');
      const back = await ledger.queue.take(group, here, claim(), ann);
      await ledger.tasks.release(project, 'p/1', back?.fence ?? 0, ann);
      await ledger.workers.seen({ ...worker, slots: 1, projects: null, version: '1' });
      expect(await takenElsewhere()).toBeUndefined();
      await ledger.workers.gone(worker.id);
      expect(await takenElsewhere()).toBe('p/1');
    });

    it.each([
      { has: [], isAble: false },
      { has: ['claude'], isAble: false },
      { has: ['codex', 'gpu'], isAble: false },
      { has: ['claude', 'gpus'], isAble: false },
      { has: ['claude', 'gpu'], isAble: true },
      { has: ['claude', 'codex', 'gpu', 'mac'], isAble: true },
    ])('TEAM-3 a worker with $has holds back an answered task for claude and gpu: $isAble', async (each) => {
      const { ledger, project } = await store.start();
      await plan(ledger, project, { 1: [] });
      await ledger.queue.place({ ...order(project), needs: ['gpu', 'claude'] }, ann);
      const group = { projectId: project, needs: 'claude gpu' };
      const here = `here-${project}`;
      const task = await ledger.queue.take(group, here, claim(), ann);
      await ledger.tasks.release(project, 'p/1', task?.fence ?? 0, ann);
      const worker = { id: `w-${project}`, home: here, name: 'one', host: 'h', abilities: each.has };
      await ledger.workers.seen({ ...worker, slots: 1, projects: null, version: '1' });
      const taken = await ledger.queue.take(group, 'elsewhere', claim('w2'), ann);
      expect(taken?.id).toBe(each.isAble ? undefined : 'p/1');
      await ledger.workers.gone(worker.id);
    });

    it('TEAM-2 a worker is listed while it sends heartbeats', async () => {
      const { ledger, project } = await store.start();
      const worker = { id: `x-${project}`, home: 'h', name: 'ci', host: 'ci-1', abilities: ['gpu', 'codex'] };
      await ledger.workers.seen({ ...worker, slots: 2, projects: [project], version: '1.2' });
      await ledger.workers.seen({ ...worker, slots: 3, projects: [project], version: '1.2' });
      const found = (await ledger.workers.list()).filter(({ id }) => id === worker.id);
      expect(found).toMatchObject([
        { ...worker, abilities: ['codex', 'gpu'], slots: 3, projects: [project] },
      ]);
      await ledger.workers.gone(worker.id);
      expect((await ledger.workers.list()).filter(({ id }) => id === worker.id)).toEqual([]);
    });
  });
});
