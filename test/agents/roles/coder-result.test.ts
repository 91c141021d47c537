import { describe, expect, it } from 'vitest';
import { parseCoderResult } from '../../../src/agents/roles/coder-result.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { applyCoderResult } from '../../../src/ledger/tasks/coder-result.ts';
import { CoderResult } from '../../../src/schema/coder-result.ts';
import { answers, refusal } from '../../ledger/support/ask.ts';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';

describe('a Coder’s result', () => {
  it.each([
    '{"status":"FAILED","summary":"s","open_questions":[{"id":"a","text":"t"}]}',
    '{"status":"who knows","openQuestions":["t"]}',
    '{"open_questions":["t"]}',
    '{"status":"failed","open_questions":[],"openQuestions":[{"id":"c","text":"t"}]}',
    'Sure!\n```json\n{"status":"failed","open_questions":[{"text":"t"},null]}\n```\nBye',
    '{"type":"result","result":"{\\"status\\":\\"failed\\",\\"open_questions\\":[\\"t\\"]}"}',
  ])('ROLE-1 ROLE-2 no question is lost: %s', (text) => {
    expect(parseCoderResult(text)).toMatchObject({
      kind: 'answer',
      value: { status: 'failed', open_questions: [{ text: 't' }] },
    });
  });

  it.each([['   '], ['All done!'], ['{"note":1}'], ['{"status":"maybe"}'], ['{"status":7}']])(
    'ROLE-1 %s is not a result, and the error says why',
    (text) => {
      expect(parseCoderResult(text)).toMatchObject({
        kind: 'unreadable',
        reason: expect.stringMatching(/"status"/),
      });
    },
  );

  it('ROLE-1 ignores what looks like a result if a complete one follows', () => {
    const text = 'curl says {"status":"ok"}.\n{"status":"failed","summary":"The tests fail."}';
    expect(parseCoderResult(text)).toMatchObject({ value: { status: 'failed', summary: 'The tests fail.' } });
    const asking = `${text}\n{"open_questions":["t"]}`;
    expect(parseCoderResult(asking)).toMatchObject({ value: { open_questions: [{ text: 't' }] } });
  });

  it('ROLE-2 fields of a wrong shape do not lose the result', () => {
    const odd = '{"status":" Success ","summary":4,"filesChanged":"x","testsWritten":"many","notes":{}}';
    expect(parseCoderResult(odd)).toEqual({ kind: 'answer', value: { status: 'success' } });
  });
});

describe('what follows from a result', () => {
  eachStore((store) => {
    async function task(ledger: Ledger, projectId: string): Promise<number> {
      await ledger.tasks.add({ projectId, id: 'T1', title: 'Work' }, ann);
      return (await ledger.tasks.claim(projectId, 'T1', { worker: 'w', leaseSeconds: 60 }, coder)).fence;
    }
    const asking = CoderResult.parse({
      status: 'success',
      summary: 'half done',
      open_questions: [{ id: 'q1', text: 'Which database?' }],
    });

    it('ROLE-2 LED-6 questions block the task whatever the status says', async () => {
      const { ledger, project: projectId } = await store.start();
      const fence = await task(ledger, projectId);
      const work = { projectId, taskId: 'T1', fence };
      const { notification, ...applied } = await applyCoderResult(ledger, work, asking, coder);
      expect(applied.task).toMatchObject({ status: 'blocked', assignee: null, blockReason: 'Open Question' });
      expect(notification).toMatchObject({ source: 'execute', sourceId: 'T1', status: 'open' });
      await ledger.notifications.resolve(projectId, notification?.id ?? '', answers({ q1: 'SQLite' }), ann);
      expect(await ledger.tasks.get(projectId, 'T1')).toMatchObject({ status: 'open', blockReason: null });
    });

    it('ROLE-2 an old claim changes nothing', async () => {
      const { ledger, project: projectId } = await store.start();
      const fence = (await task(ledger, projectId)) - 1;
      const work = { projectId, taskId: 'T1', fence };
      for (const result of [
        asking,
        { status: 'success' as const, summary: 's' },
        { status: 'failed' as const },
      ]) {
        expect(await refusal(applyCoderResult(ledger, work, result, coder))).toMatchObject({ code: 'stale' });
      }
      expect(await ledger.tasks.get(projectId, 'T1')).toMatchObject({ status: 'in_progress', assignee: 'w' });
      expect(await ledger.tasks.chat(projectId, 'T1')).toEqual([]);
    });

    it('ROLE-3 a question that the project leaves to its agents reopens the task at once', async () => {
      const { ledger, project: projectId } = await store.start();
      await ledger.projects.setHilConfig(projectId, 'full', ann);
      const fence = await task(ledger, projectId);
      const own = { open_questions: [{ text: 'A or B?', category: 'architecture', recommended: 'B' }] };
      const result = { status: 'failed' as const, ...own };
      expect(await applyCoderResult(ledger, { projectId, taskId: 'T1', fence }, result, coder)).toMatchObject(
        {
          task: { status: 'open', blockReason: null },
          notification: { status: 'answered' },
        },
      );
    });
  });
});
