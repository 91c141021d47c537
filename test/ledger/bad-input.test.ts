import { describe, expect, it } from 'vitest';
import { decisionsMarkdown } from '../../src/ledger/decisions/decision-log.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import type { TaskInput } from '../../src/schema/task.ts';
import { answers, ask, askFor, history, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const MB = 1024 * 1024;
/** A readable message: one or two complete sentences. */
const sentence = /^(hilConfig|[A-Z“"])[^\n]{10,400}[.!]$/;

describe('bad input', () => {
  eachStore((store) => {
    it.each<[string, Partial<CreateInput>, RegExp]>([
      ['no question at all', { questions: [] }, /questions have no text\. Give each question a "text"/],
      ['questions without text', { questions: [{ id: 'a' }, '  '] }, /questions have no text/],
      [
        'a question of 10 MB',
        { questions: ['x'.repeat(10 * MB)] },
        /10485760 characters; at most 65536 .* name the file/,
      ],
      [
        'a context of 10 MB',
        { questions: [{ text: 'A?', context: 'x'.repeat(10 * MB) }] },
        /Question 1, field context/,
      ],
      [
        '101 options',
        { questions: [{ text: 'A?', options: Array(101).fill('o') }] },
        /101 options; at most 100/,
      ],
      ['101 questions', { questions: Array(101).fill('A?') }, /questions/],
      [
        'ten questions that take 2 MB together',
        {
          questions: Array.from({ length: 10 }, (_, n) => ({ text: `${n}?`, context: 'x'.repeat(200_000) })),
        },
        /take 20\d{5} bytes; at most 1048576 .* name the files/,
      ],
      ['no source id', { sourceId: '' }, /sourceId/],
      ['a source id of 10 kB', { sourceId: 'x'.repeat(10_000) }, /sourceId/],
      ['an unknown field', { urgent: true } as Partial<CreateInput>, /urgent/],
      ['questions that are no list', { questions: 'A?' as unknown as string[] }, /questions/],
      ['a policy that is none', { policy: { kind: 'guess' } as unknown as CreateInput['policy'] }, /policy/],
    ])('LED-2 %s is refused in a sentence, and nothing is stored', async (_, given, what) => {
      const { ledger, project } = await store.start();
      const error = await refusal(ask(ledger, project, given));
      expect(error.code).toBe('invalid');
      expect(error.message).toMatch(sentence);
      expect(error.message).toMatch(what);
      expect(await history(ledger, project)).toEqual([]);
      expect(await ask(ledger, project)).toMatchObject({ status: 'open' });
    });

    it('LED-2 a repeated id is made unique, and each can be answered', async () => {
      const { ledger, project } = await store.start();
      const { id, questions } = await ask(ledger, project, {
        questions: [
          { id: 'x', text: 'A?' },
          { id: 'x', text: 'B?' },
        ],
      });
      expect(questions.map((q) => q.id)).toEqual(['x', 'x-2']);
      const { notification } = await ledger.notifications.resolve(
        project,
        id,
        answers({ x: 'a', 'x-2': 'b' }),
        ann,
      );
      expect(notification.status).toBe('answered');
    });

    it.each<[string, Partial<TaskInput>, string]>([
      ['no title', { title: ' ' }, 'title'],
      ['an id with a space', { id: 'a b' }, 'an id starts with a letter or digit'],
      ['a priority that is none', { priority: 9 }, 'priority'],
      ['a body of 10 MB', { body: 'x'.repeat(10 * MB) }, 'body'],
    ])('LED-8 a task with %s is refused in a sentence, as a rejection', async (_, given, what) => {
      const { ledger, project } = await store.start();
      const error = await refusal(ledger.tasks.add({ projectId: project, title: 'Work', ...given }, ann));
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining(what) });
      expect(error.message).toMatch(sentence);
      expect(await ledger.tasks.list(project)).toEqual([]);
    });

    it('LED-10 an unknown level in hilConfig is refused with a clear message', async () => {
      const { ledger, project } = await store.start();
      const error = await refusal(ledger.projects.setHilConfig(project, { scopeChanges: 'maybe' }, ann));
      expect(error.message).toMatch(sentence);
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('requires_approval') });
    });

    it('LED-2 LED-7 characters that a database cannot keep lose no question and no answer', async () => {
      const { ledger, project } = await store.start();
      const odd = 'A\0B \uD800 C?';
      await ledger.tasks.add({ projectId: project, id: 'T1', title: odd, body: odd }, ann);
      const { id } = await askFor(ledger, project, 'T1', {
        questions: [
          { id: '\0', text: odd, header: odd, options: [{ id: '\0', label: odd, description: odd }] },
        ],
        resume: { agent: odd },
      });
      const stored = await ledger.notifications.get(project, id);
      const questionId = stored.questions[0]?.id ?? '';
      const responses = [{ questionId, answer: odd, note: odd, standing: true as const }];
      await ledger.notifications.resolve(project, id, { responses }, ann);
      await ledger.tasks.say(project, 'T1', odd, ann);
      await ledger.tasks.block(project, 'T1', odd, ann);
      const other = await ask(ledger, project, { sourceId: odd, questions: [`${odd} again`] });
      await ledger.notifications.withdraw(project, other.id, odd, ann);
      const chat = await ledger.tasks.chat(project, 'T1');
      expect(chat).toHaveLength(2);
      for (const { text } of chat) expect(text).toMatch(/^A\uFFFDB/);
      expect(decisionsMarkdown('p', await ledger.decisions.list(project))).toContain('A\uFFFDB');
    });

    it.each([`'; drop table tasks; --`, 'p" or "1"="1', '%', '_', '\\', '🙂'])(
      "LED-4 %s is nobody's id, and harms nothing",
      async (id) => {
        const { ledger, project } = await store.start();
        expect(await refusal(ledger.notifications.get(project, id))).toMatchObject({ code: 'not_found' });
        expect(await refusal(ledger.notifications.find(id))).toMatchObject({ code: 'not_found' });
        expect(await refusal(ledger.tasks.get(project, id))).toMatchObject({ code: 'not_found' });
        expect(await refusal(ledger.projects.get(id))).toMatchObject({ code: 'not_found' });
        expect(await ledger.events.list(id)).toEqual([]);
      },
    );
  });
});
