import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { askFor, eventTypes, readyIds } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const question = (category: string | undefined, more = {}) => ({
  id: 'q1',
  text: `Which ${category}?`,
  options: [{ label: 'A' }, { label: 'B' }],
  category,
  ...more,
});

async function task(ledger: Ledger, project: string, id = 'T1'): Promise<number> {
  await ledger.tasks.add({ projectId: project, id, title: 'Work' }, ann);
  return (await ledger.tasks.claim(project, id, { worker: 'w', leaseSeconds: 60 }, coder)).fence;
}

describe('decisions that agents may make alone', () => {
  eachStore((store) => {
    it('ROLE-3 LED-10 an automated question is answered with the agent’s recommendation, as policy, and the task continues', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', ann);
      const fence = await task(ledger, project);
      const questions = [question('scope', { recommended: 'B' })];
      expect(await askFor(ledger, project, 'T1', { questions, fence })).toMatchObject({
        status: 'answered',
        responses: [{ answer: 'B', by: { actor: { kind: 'policy', name: 'automated' } } }],
      });
      expect(await readyIds(ledger, project)).toEqual(['T1']);
      expect((await ledger.tasks.chat(project, 'T1')).map(({ text }) => text)).toEqual(['Which scope?\nB']);
      expect(await ledger.notifications.list({ projectId: project, status: ['recorded'] })).toEqual({
        notifications: [],
      });
      expect(await ledger.decisions.list(project)).toEqual([]);
    });

    it('ROLE-3 without a recommended option the agent decides', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', ann);
      await task(ledger, project);
      const questions = [
        question('architecture'),
        question('scope', { id: 'q2', multi: true, recommended: 'A' }),
      ];
      expect(await askFor(ledger, project, 'T1', { questions })).toMatchObject({
        responses: [{ answer: 'Use your own best judgement.' }, { answer: ['A'] }],
      });
      const begun = question('scope', { id: 'q3', options: ['These: …'], recommended: 'These: …' });
      expect(await askFor(ledger, project, 'T1', { questions: [begun] })).toMatchObject({
        responses: [{ answer: 'Use your own best judgement.' }],
      });
    });

    it('LED-10 notify_and_proceed leaves a notice that needs no answer', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const questions = [question('dependency', { recommended: 'A' })];
      const asked = await askFor(ledger, project, 'T1', { questions });
      expect(asked).toMatchObject({
        status: 'answered',
        resolvedBy: { actor: { kind: 'policy', name: 'notify_and_proceed' } },
      });
      const { notifications } = await ledger.notifications.list({ projectId: project, status: ['recorded'] });
      expect(notifications).toMatchObject([
        { sourceId: 'T1', questions: [{ text: 'Continued without asking: Which dependency?\nA' }] },
      ]);
      await askFor(ledger, project, 'T1', { questions: [question('dependency', { text: 'And which?' })] });
      const [newest, ...older] = await ledger.notifications.recorded(10, undefined, project);
      expect(newest?.questions[0]?.text).toContain('And which?');
      expect(older).toEqual(notifications);
      const cursor = `${Date.parse(newest?.createdAt ?? '')}.${newest?.id}`;
      expect(await ledger.notifications.recorded(10, cursor, project)).toEqual(older);
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });

    it('LED-10 questions that require approval or have no category wait for a person; the others do not', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const questions = [
        question('scope', { id: 'a', recommended: 'A' }),
        question(undefined, { id: 'b', recommended: 'A' }),
        question('dependency', { id: 'c', recommended: 'A' }),
      ];
      const asked = await askFor(ledger, project, 'T1', { questions });
      expect(asked).toMatchObject({ status: 'open', responses: [{ questionId: 'c' }] });
      expect((await ledger.tasks.get(project, 'T1')).blockReason).toBe('Open Question');
      await ledger.notifications.resolve(
        project,
        asked.id,
        {
          responses: [
            { questionId: 'a', answer: 'A' },
            { questionId: 'b', answer: 'A' },
          ],
        },
        ann,
      );
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });

    it('BIND-9 a category that is not true gets an agent its own answer, on record, and nothing else', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      await task(ledger, project, 'T2');
      const words = { text: 'May I delete the database?', recommended: 'A' };
      const claimed = question('dependency', words);
      expect(await askFor(ledger, project, 'T1', { questions: [claimed] })).toMatchObject({
        status: 'answered',
        responses: [{ by: { actor: { kind: 'policy' } } }],
      });
      const [notice] = await ledger.notifications.recorded(10, undefined, project);
      expect(notice?.questions[0]?.text).toContain('Continued without asking: May I delete the database?');
      expect(await ledger.decisions.list(project)).toEqual([]);
      const [plain] = (await askFor(ledger, project, 'T2', { questions: [question(undefined, words)] }))
        .questions;
      expect(plain).not.toHaveProperty('earlier');
      const permission = { source: 'approval' as const, questions: [{ ...claimed, options: undefined }] };
      expect(await askFor(ledger, project, 'T2', permission)).toMatchObject({
        status: 'open',
        responses: [],
      });
    });

    it('ROLE-3 after three rounds for a task a person is asked', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', ann);
      await task(ledger, project);
      await task(ledger, project, 'T2');
      const ask = async (id: string, round: number) =>
        (await askFor(ledger, project, id, { questions: [question('scope', { text: `Round ${round}?` })] }))
          .status;
      expect([await ask('T1', 1), await ask('T1', 2), await ask('T1', 3), await ask('T1', 4)]).toEqual([
        'answered',
        'answered',
        'answered',
        'open',
      ]);
      expect(await ask('T2', 1)).toBe('answered');
      expect(await readyIds(ledger, project)).toEqual(['T2']);
    });

    it('ROLE-3 a person who asks is never answered by a policy', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, 'full', ann);
      const asked = {
        projectId: project,
        source: 'plan' as const,
        sourceId: 'p',
        questions: [question('scope')],
      };
      expect((await ledger.notifications.create(asked, ann)).notification.status).toBe('open');
    });

    it('LED-10 an approval of what a task did blocks it until a person approves; a permission of a run does not', async () => {
      const { ledger, project } = await store.start();
      const fence = await task(ledger, project);
      const questions = [{ id: 'q1', text: 'Add lodash?', category: 'dependency' }];
      const asked = await askFor(ledger, project, 'T1', { source: 'approval', questions, fence });
      expect(asked.questions[0]?.options?.map(({ label }) => label)).toEqual(['Approve', 'Reject']);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'blocked', assignee: null });
      const before = await ledger.projects.get(project);
      await ledger.notifications.resolve(project, asked.id, { approved: true }, ann);
      expect(await readyIds(ledger, project)).toEqual(['T1']);
      expect(await eventTypes(ledger, project, before.lastEvent)).toEqual([
        'notification.resolved',
        'task.updated',
      ]);
      expect((await ledger.tasks.chat(project, 'T1')).at(-1)?.text).toBe('Add lodash?\nApprove');
      const resume = { agent: 'claude', run: 'r-1' };
      await askFor(ledger, project, 'T1', { source: 'approval', questions: ['May I run npm test?'], resume });
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });
  });
});
