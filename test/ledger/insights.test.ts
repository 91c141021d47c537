import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, ask, askFor } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const question = {
  id: 'q1',
  text: 'Which library?',
  options: [{ id: 'a', label: 'lodash' }, { label: 'none' }],
  recommended: 'a',
};

const answered = async (
  ledger: Ledger,
  project: string,
  answer: string,
  given: Partial<CreateInput> = {},
  standing = false,
) => {
  const { id } = await ask(ledger, project, { questions: [question], ...given });
  await ledger.notifications.resolve(project, id, answers({ q1: answer }, standing), ann);
  return id;
};
const insights = async (ledger: Ledger, projectId: string, now?: number) =>
  ledger.figures.insights({ projectId, since: 0 }, now);

describe('insights', () => {
  eachStore((store) => {
    it('ATT-11 counts questions by week, kind and asker, and open ones', async () => {
      const { ledger, project } = await store.start();
      await answered(ledger, project, 'lodash', { sourceId: 'p1' });
      await ask(ledger, project, { sourceId: 'p2' });
      await ask(ledger, project, { sourceId: 'p3', source: 'gate' }, ann);
      const { weeks, total } = await insights(ledger, project);
      expect(total).toMatchObject({ asked: 3, open: 2, answered: 1 });
      const asked = weeks.flatMap((week) => week.asked);
      expect(asked).toEqual([
        { kind: 'question', asker: 'coder-1', count: 2 },
        { kind: 'gate', asker: 'ann', count: 1 },
      ]);
      expect(new Date(weeks[0]?.begins ?? '').getUTCDay(), 'a Monday').toBe(1);
      expect((await insights(ledger, 'p-other')).total.asked).toBe(0);
    });

    it('ATT-11 tells a recommendation that was taken, by id or label, from another answer', async () => {
      const { ledger, project } = await store.start();
      await answered(ledger, project, 'lodash', { sourceId: 'p1' });
      await answered(ledger, project, 'a', {
        sourceId: 'p2',
        questions: [{ ...question, text: 'And here?' }],
      });
      await answered(ledger, project, 'none', {
        sourceId: 'p3',
        questions: [{ ...question, text: 'There?' }],
      });
      await answered(ledger, project, 'x', { sourceId: 'p4', questions: [{ id: 'q1', text: 'Free?' }] });
      expect((await insights(ledger, project)).recommendations).toEqual({ of: 3, count: 2 });
    });

    it('ATT-11 a skipped question is an assumption, which an amendment corrects without changing the wait', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const skip = { responses: [{ questionId: 'q1', skipped: true as const }] };
      await ledger.notifications.resolve(project, id, skip, ann);
      expect((await insights(ledger, project)).assumptions).toEqual({ of: 1, count: 0 });
      await ledger.notifications.amend(
        project,
        id,
        { responses: [{ questionId: 'q1', answer: 'SQLite' }] },
        ann,
      );
      expect((await insights(ledger, project)).assumptions).toEqual({ of: 1, count: 1 });
    });

    it('ATT-11 counts repeats that a standing decision answered, and those shown with the earlier answer', async () => {
      const { ledger, project } = await store.start();
      await answered(ledger, project, 'none', { sourceId: 'p1' });
      await answered(ledger, project, 'none', { sourceId: 'p2' }, true);
      await ask(ledger, project, { sourceId: 'p3', questions: [question] });
      const { repeats, assumptions } = await insights(ledger, project);
      expect(repeats).toEqual({ answered: 1, offered: 2 });
      expect(assumptions.of, 'a standing decision is a person’s answer').toBe(0);
    });

    it('ATT-11 a task that two questions hold is idle once, until the last is answered', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'hours', title: 'Store hours' }, ann);
      const begun = Date.now();
      await askFor(ledger, project, 'hours');
      await askFor(ledger, project, 'hours', { questions: [{ id: 'q2', text: 'And which table?' }] });
      const hour = begun + 3_600_000;
      const { total } = await insights(ledger, project, hour);
      expect(total.idleSeconds).toBeGreaterThan(3590);
      expect(total.idleSeconds).toBeLessThan(3610);
    });

    it('ATT-11 proposes to ask less where people agree, and to ask again where they correct', async () => {
      const { ledger, project } = await store.start();
      const of = (category: 'scope' | 'dependency', n: number) => ({
        sourceId: `p${n}`,
        questions: [{ ...question, text: `${category} ${n}?`, category }],
      });
      await ledger.projects.setHilConfig(project, { dependencyModifications: 'notify_and_proceed' }, ann);
      for (let n = 0; n < 9; n++) await answered(ledger, project, 'a', of('scope', n));
      expect((await insights(ledger, project)).proposals, 'too few').toEqual([]);
      await answered(ledger, project, 'a', of('scope', 10));
      for (let n = 0; n < 10; n++) {
        const { id } = await ask(ledger, project, of('dependency', n), ann);
        const skip = { responses: [{ questionId: 'q1', skipped: true as const }] };
        await ledger.notifications.resolve(project, id, skip, ann);
        const amendment = { responses: [{ questionId: 'q1', answer: 'none' }] };
        if (n < 3) await ledger.notifications.amend(project, id, amendment, ann);
      }
      const { proposals } = await insights(ledger, project);
      expect(proposals).toMatchObject([
        { setting: 'scopeChanges', level: 'notify_and_proceed', of: 10, count: 10 },
        { setting: 'dependencyModifications', level: 'requires_approval', of: 10, count: 3 },
      ]);
      await ledger.projects.setHilConfig(project, { scopeChanges: 'automated' }, ann);
      expect((await insights(ledger, project)).proposals).toHaveLength(1);
    });
  });
});
