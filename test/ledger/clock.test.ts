import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const DAY = 86_400_000;
const claimOf = (worker: string) => ({ worker, leaseSeconds: 600 });
const never = () => false;
const policy = { kind: 'default' as const, after: 600, answers: { q1: 'yes' } };
/** Whether a time is within what was asked for. */
const soon = (time: string | null | undefined) => {
  const left = Date.parse(time ?? '') - Date.now();
  return left > 0 && left <= 601_000;
};
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
      await shift(project, DAY);
      const stillHeld = ledger.tasks.claim(project, 'a', claimOf('other'), coder);
      expect(await refusal(stillHeld)).toMatchObject({ code: 'conflict' });
      await ledger.tasks.say(project, 'b', 'Any write corrects it.', ann);
      expect(soon((await ledger.tasks.get(project, 'a')).leaseUntil)).toBe(true);
    });

    it('OPS-5 holds a run no longer than its lease after it was ahead, and a question not longer than its deadline', async () => {
      const { ledger, project } = await store.start();
      const input = { agent: 'claude', source: 'plan' as const, sourceId: 'x', cwd: '/w' };
      const data = { for: 'agent' as const, prompt: 'Go.' };
      const { id } = await ledger.runs.start({ projectId: project, ...input, data }, claimOf('w'), coder);
      const question = await ask(ledger, project, { policy }, ann);
      await shift(project, DAY);
      expect(await ledger.runs.abandoned(project, never)).toEqual([]);
      expect(soon((await ledger.runs.get(project, id)).leaseUntil)).toBe(true);
      expect(soon((await ledger.notifications.get(project, question.id)).deadlineAt)).toBe(true);
    });

    it('OPS-5 leaves a task to its holder, who can renew the lease, and a question to people, if it goes ahead', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      await ledger.tasks.claim(project, 'a', claimOf('w'), coder);
      const { fence } = await ledger.tasks.claim(project, 'b', claimOf('w'), coder);
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
      expect(soon((await ledger.tasks.get(project, 'a')).leaseUntil)).toBe(true);
    });
  });
});
