import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { MadeFrom } from '../../src/schema/made-from.ts';
import { refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const KIND = 'plan_from_issues';
const ID = 'plan_from_issues:login';

const from: MadeFrom = {
  asker: 'o/r',
  issues: [{ number: 4, title: 'Log in', text: 'With a pass\u0000word.\n\nComment:\nSoon.' }],
  questions: [
    { question: 'Which one?', issues: [4], notification: 'n-1', assumed: 'The first.', reason: 'Skipped' },
    { question: 'How fast?', issues: [], notification: null, assumed: 'As now.', reason: 'Not asked' },
  ],
};

const submit = (ledger: Ledger, projectId: string) =>
  ledger.tasks.submit(
    { projectId, id: ID, title: 'Plan' },
    { kind: KIND, input: { plan: 'plans/login' } },
    ann,
  );

describe('what a plan was made from', () => {
  eachStore((store) => {
    it('BIND-1 is the result of its task, even after a restart', async () => {
      const { ledger, project } = await store.start();
      await submit(ledger, project);
      expect(await ledger.tasks.resultOf(project, ID, KIND)).toBeUndefined();
      await ledger.tasks.keepResult(project, ID, KIND, from);
      const later = await store.open();
      expect(await later.tasks.resultOf(project, ID, KIND)).toEqual(from);
      expect(await later.tasks.resultOf('p-other', ID, KIND)).toBeUndefined();
    });

    it('BIND-1 is replaced when the plan is made again, and has no secret', async () => {
      const { ledger, project } = await store.start();
      await submit(ledger, project);
      await ledger.tasks.keepResult(project, ID, KIND, from);
      const issues = [{ number: 5, title: 'New', text: `Use ghp_${'a'.repeat(36)} for it` }];
      await ledger.tasks.keepResult(project, ID, KIND, { ...from, issues, questions: [] });
      expect(await ledger.tasks.resultOf(project, ID, KIND)).toMatchObject({
        issues: [{ number: 5, text: 'Use [redacted] for it' }],
        questions: [],
      });
      const bad = ledger.tasks.keepResult(project, ID, KIND, { ...from, asker: '' });
      expect(await refusal(bad)).toMatchObject({ code: 'invalid' });
    });
  });
});
