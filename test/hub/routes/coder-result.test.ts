import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('a Coder’s report (HUB-1)', () => {
    it("a Coder's result blocks its task with its questions, closes it, or leaves it to a person (LED-6)", async () => {
      const { hub, at } = await startHubOn(store);
      for (const id of ['asks', 'done', 'failed']) await hub.call('POST', `${at}/tasks`, { id, title: id });
      const result = async (id: string, body: unknown) =>
        (await hub.call('POST', `${at}/tasks/${id}/result`, body)).body;
      expect(
        await result('asks', {
          status: 'FAILED',
          summary: 'I need to know more.',
          open_questions: [],
          openQuestions: [{ id: 'c', text: 'Which one?' }],
        }),
      ).toMatchObject({
        data: {
          task: { status: 'blocked', block_reason: 'Open Question', assignee: null },
          notification: { source: 'execute', sourceId: 'asks', questions: [{ id: 'c' }] },
        },
      });
      expect((await hub.get(`${at}/tasks/asks/chat`)).body.data).toMatchObject([
        { text: 'I need to know more.' },
      ]);
      expect(await result('done', { status: 'success', summary: 'It works.' })).toMatchObject({
        data: { task: { status: 'closed' } },
      });
      expect(await result('failed', { status: 'failed', open_questions: [{ id: 'a' }] })).toMatchObject({
        data: { task: { status: 'blocked', blockReason: 'Coding Failure' } },
      });
      expect((await hub.call('POST', `${at}/tasks/done/result`, { summary: 'x' })).status).toBe(400);
    });

    it("a Coder's question is decided automatically if the project leaves it to its agents (ROLE-3, LED-10)", async () => {
      const { hub, at } = await startHubOn(store);
      await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' });
      await hub.call('POST', `${at}/tasks`, { id: 'asks', title: 'Work' });
      const own = { text: 'A or B?', category: 'architecture', options: ['A', 'B'], recommended: 'B' };
      const { data } = (
        await hub.call('POST', `${at}/tasks/asks/result`, { status: 'failed', open_questions: [own] })
      ).body;
      expect(data).toMatchObject({
        task: { status: 'open', block_reason: null },
        notification: { status: 'answered', resolvedBy: { actor: { kind: 'policy', name: 'automated' } } },
      });
    });

    it.each([
      ['no status', { open_questions: ['Which?'] }, undefined],
      ['an unknown status', { status: 'needs_input', open_questions: [{ text: 'Which?' }] }, undefined],
      ['empty other fields', { status: 'failed', summary: null, openQuestions: ['Which?'] }, undefined],
      ['no list', { status: null, testsPassed: 'all', open_questions: { text: 'Which?' } }, undefined],
      ['unreadable ones beside it', { open_questions: ['x'.repeat(70_000), null, 'Which?'] }, 2],
    ])('a Coder with %s loses no question (ROLE-2, LED-6)', async (_, body, dropped) => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 'asks', title: 'Work' });
      const { data } = (await hub.call('POST', `${at}/tasks/asks/result`, body)).body;
      expect(data).toMatchObject({
        task: { status: 'blocked', block_reason: 'Open Question' },
        notification: { questions: [{ text: 'Which?' }] },
      });
      expect(data.dropped?.length).toBe(dropped);
    });
  });
});
