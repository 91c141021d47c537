import { describe, expect, it } from 'vitest';
import { startByWorkers } from '../../../src/work/worker/queue-by-ledger.ts';
import { says } from '../../cli/support/role-place.ts';
import { answers } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { BAD_PLAN, PLAN } from '../../plan/convert/support/plans.ts';
import { longTest } from '../../support/long-test.ts';
import { planFiles } from '../support/plan-project.ts';
import { workerPlace } from './support/worker-place.ts';

const draft = { kind: 'draft' as const, input: { plan: 'plans/shop', idea: 'A shop' } };
const QUESTION = JSON.stringify({ open_questions: [{ id: 'q', text: 'Which page?' }] });

eachStoreInLong((store) => {
  describe('what workers do besides tasks', () => {
    it('TEAM-2 TEAM-4 the Analyst asks about feedback, and turns the answer into tasks', async () => {
      const tasks = { category: 'ux', summary: 'Faster.', tasks: [{ title: 'Speed it up', body: 'Now.' }] };
      const at = await workerPlace(store, says(QUESTION, JSON.stringify(tasks)));
      const { ledger, project } = at;
      const { id: task } = await at.feedback('It is slow.');
      await at.queue(task);
      await at.startWorker();
      const { id, sourceId } = await at.question();
      expect(sourceId).toBe(task);
      expect((await ledger.tasks.get(project, task)).status, 'held while it waits').toBe('in_progress');
      await ledger.notifications.resolve(project, id, answers({ q: 'Home' }), ann);
      expect(await at.over(task)).toMatchObject({ status: 'closed' });
      expect((await ledger.tasks.list(project, { status: 'open' })).map(({ title }) => title)).toEqual([
        'Speed it up',
      ]);
      expect(await at.said(task)).toEqual(['Tasks: t2. Faster.']);
      expect(at.handle.invocations()[1]?.prompt).toContain('Home');
    });

    longTest('TEAM-2 a drafted plan is pushed to its own branch, and its task says which', async () => {
      const at = await workerPlace(store, says(BAD_PLAN, PLAN));
      const task = await at.queue('draft:shop', draft);
      await at.startWorker();
      expect(await at.over(task)).toMatchObject({ status: 'closed' });
      expect(at.pushed('main--draft-shop', 'plans/shop/MASTER_PLAN.md')).toContain('# Shop - Master Plan');
      expect(at.pushed('main--draft-shop', 'README.md'), 'on top of what there is').toBe('# Shop');
      expect(await at.said(task)).toEqual([
        `The plan is in plans/shop. Pushed to branch main--draft-shop of ${at.remote}.`,
      ]);
    });
  });
});

eachStoreInLong((store) => {
  describe('what is queued for workers', () => {
    it('TEAM-2 TEAM-4 a plan that only the remote has is read by a worker, which asks for trust and then does its phases', async () => {
      const done = '{"status":"success","summary":"done"}';
      const gates = '- there: `test -d .`\n\n## Process Wrapper\n- [ ] Write notes to `notes/1.md`';
      const at = await workerPlace(store, says(done), planFiles([{ id: '1', gates }], 'shop'));
      const { ledger, project: projectId } = at;
      const place = { ledger, projectId, by: ann };
      const work = { kind: 'run' as const, input: { plan: 'plans/shop' } };
      const task = await ledger.tasks.submit({ projectId, id: 'run:shop', title: 'Run' }, work, ann);
      const workers = { branch: 'main', remote: at.remote };
      await startByWorkers(place, task, { agent: 'scripted', workers });
      await at.startWorker();
      const { id, questions } = await at.question();
      expect(questions[0]?.text).toContain('Trust plan shop');
      await ledger.notifications.resolve(projectId, id, answers({ trust: 'approve' }), ann);
      expect(await at.over('run:shop')).toMatchObject({ status: 'closed' });
      expect(await at.said('run:shop')).toEqual(['1 phase of shop is queued for workers.']);
      expect(await at.over('shop/1')).toMatchObject({ status: 'closed', blockReason: null });
    });

    longTest('TEAM-2 one that fails says why, and queuing it again retries it', async () => {
      const at = await workerPlace(store, says(BAD_PLAN, BAD_PLAN, BAD_PLAN, PLAN));
      const task = await at.queue('draft:shop', draft);
      await at.startWorker();
      const failed = await at.over(task);
      expect(failed.blockReason).toBe('Failed: None of the 3 attempts passed the audit.');
      await at.queue('draft:shop', draft);
      expect(await at.over(task)).toMatchObject({ status: 'closed' });
    });

    it('TEAM-2 withdrawn while it waits, it asks nobody any more, and its agent does not continue; a folder outside the project is refused', async () => {
      const at = await workerPlace(store, says(QUESTION, '{"category":"ux","summary":"S","tasks":[]}'));
      const { ledger, project } = at;
      const { id: task } = await at.feedback('It is slow.');
      await at.queue(task);
      await at.startWorker();
      const { id } = await at.question();
      await ledger.queue.withdraw(project, task, ann);
      expect(await ledger.notifications.get(project, id)).toMatchObject({
        status: 'withdrawn',
        reason: `${task} was withdrawn.`,
      });
      // The worker takes the next order once it has released this one.
      const next = await at.queue('draft:x', { kind: 'draft', input: { plan: '../../x', idea: 'A shop' } });
      expect((await at.over(next)).blockReason).toContain('is not a folder inside of the project');
      expect(at.handle.invocations()).toHaveLength(1);
    });
  });
});
