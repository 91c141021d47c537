import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const DAY = 86_400_000;
const claimOf = (worker: string) => ({ worker, leaseSeconds: 0.3 });
const never = () => false;
const times = {
  events: ['at'],
  tasks: ['lease_until'],
  runs: ['lease_until'],
  open_questions: ['deadline_at', 'created_at'],
};

describe('a clock that is set by a day', () => {
  eachStore((store) => {
    /** As if everything in the project had happened that much later. */
    const shift = async (project: string, ms: number) => {
      for (const [table, columns] of Object.entries(times))
        await store.sql(
          `update ${table} set ${columns.map((column) => `${column} = ${column} + ${ms}`)} where project_id = '${project}'`,
        );
    };

    it('OPS-5 holds a task no longer than its lease after it was ahead', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      await ledger.tasks.claim(project, 'a', claimOf('w'), coder);
      const { fence } = await ledger.tasks.claim(project, 'b', claimOf('w'), coder);
      await shift(project, DAY);
      expect(await refusal(ledger.tasks.claim(project, 'a', claimOf('other'), coder))).toMatchObject({
        code: 'conflict',
      });
      expect((await ledger.tasks.heartbeat(project, 'b', fence, 60, coder)).fence).toBe(fence);
      await sleep(600);
      expect(await ledger.tasks.claim(project, 'a', claimOf('other'), coder)).toMatchObject({
        assignee: 'other',
      });
      expect(await refusal(ledger.tasks.claim(project, 'b', claimOf('other'), coder))).toMatchObject({
        code: 'conflict',
      });
    });

    it('OPS-5 holds a run no longer than its lease after it was ahead, and a question not longer than its deadline', async () => {
      const { ledger, project } = await store.start();
      const run = await ledger.runs.start(
        {
          projectId: project,
          agent: 'claude',
          source: 'plan',
          sourceId: 'x',
          cwd: '/w',
          data: { for: 'agent', prompt: 'Go.' },
        },
        claimOf('w'),
        coder,
      );
      const policy = { kind: 'default' as const, after: 0.3, answers: { q1: 'yes' } };
      const { id } = await ask(ledger, project, { policy }, ann);
      await shift(project, DAY);
      expect(await ledger.runs.abandoned(project, never)).toEqual([]);
      await sleep(600);
      expect((await ledger.runs.abandoned(project, never)).map((each) => each.id)).toEqual([run.id]);
      await ledger.notifications.applyDeadlines();
      expect(await ledger.notifications.get(project, id)).toMatchObject({ status: 'answered' });
    });

    it('OPS-5 leaves a task to its holder, who can renew the lease, and a question to people, if it goes ahead', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      await ledger.tasks.claim(project, 'a', claimOf('w'), coder);
      const { fence } = await ledger.tasks.claim(project, 'b', claimOf('w'), coder);
      const policy = { kind: 'default' as const, after: 3600, answers: { q1: 'yes' } };
      const { id: question } = await ask(ledger, project, { policy }, ann);
      await shift(project, -DAY);
      const steady = performance.now();
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => steady - DAY);
      onTestFinished(() => clock.mockRestore());
      for (const id of ['a', 'b'])
        expect(await refusal(ledger.tasks.claim(project, id, claimOf('other'), coder))).toMatchObject({
          code: 'conflict',
        });
      await ledger.notifications.applyDeadlines();
      expect(await ledger.notifications.get(project, question)).toMatchObject({ status: 'open' });
      expect((await ledger.tasks.heartbeat(project, 'b', fence, 60, coder)).fence).toBe(fence);
      await sleep(600);
      expect(await ledger.tasks.claim(project, 'a', claimOf('other'), coder)).toMatchObject({
        assignee: 'other',
      });
    });
  });
});
