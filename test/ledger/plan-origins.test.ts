import { describe, expect, it } from 'vitest';
import type { PlanOrigin } from '../../src/schema/plan-origin.ts';
import { refusal } from './support/ask.ts';
import { eachStore } from './support/stores.ts';

const origin = (projectId: string): PlanOrigin => ({
  projectId,
  plan: 'login',
  asker: 'o/r',
  issues: [{ number: 4, title: 'Log in', text: 'With a pass\u0000word.\n\nComment:\nSoon.' }],
  questions: [
    { question: 'Which one?', issues: [4], notification: 'n-1', assumed: 'The first.', reason: 'Skipped' },
    { question: 'How fast?', issues: [], notification: null, assumed: 'As now.', reason: 'Not asked' },
  ],
});

describe('the origins of plans', () => {
  eachStore((store) => {
    it('BIND-1 keeps the issues and questions that a plan was made from, even after a restart', async () => {
      const { ledger, project } = await store.start();
      await ledger.origins.record(origin(project));
      const later = await store.open();
      expect(await later.origins.find(project, 'login')).toEqual(origin(project));
      expect(await later.origins.find(project, 'other')).toBeUndefined();
      expect(await later.origins.find('p-other', 'login')).toBeUndefined();
    });

    it('BIND-1 a plan that is made again has a new origin, and no secret is stored in it', async () => {
      const { ledger, project } = await store.start();
      await ledger.origins.record(origin(project));
      const secret = `ghp_${'a'.repeat(36)}`;
      await ledger.origins.record({
        ...origin(project),
        issues: [{ number: 5, title: 'New', text: `Use ${secret} for it` }],
        questions: [],
      });
      expect(await ledger.origins.find(project, 'login')).toMatchObject({
        issues: [{ number: 5, text: 'Use [redacted] for it' }],
        questions: [],
      });
    });

    it('BIND-1 refuses what is not an origin', async () => {
      const { ledger, project } = await store.start();
      const bad = { ...origin(project), plan: '' };
      expect(await refusal(ledger.origins.record(bad))).toMatchObject({ code: 'invalid' });
    });
  });
});
