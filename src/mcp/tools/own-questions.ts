import * as z from 'zod';
import { check } from '../../ledger/check.ts';
import { handOver } from '../../ledger/tasks/hand-over.ts';
import { FermataError } from '../../schema/error.ts';
import { Notification, type Status } from '../../schema/notification.ts';
import { type Asker, isOwn } from '../asker.ts';
import type { Tool } from '../tool.ts';

const MAX = 100;
const PAGE = 1000;
const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

const { id, status, outcome, createdAt, responses, reason } = Notification.shape;
const Listed = z.object({
  questions: z.array(
    z.object({ id, status, createdAt, questions: z.array(z.string()), responses: responses.optional() }),
  ),
});
const State = z.object({ id, status, outcome, responses, reason });

export function listQuestions(asker: Asker): Tool {
  return {
    name: 'list_questions',
    title: 'List your questions',
    description: 'List the questions you asked: those still open and the most recent answered ones.',
    annotations: READS,
    input: z.object({}),
    output: Listed,
    async call() {
      const { ledger, projectId, on, source } = asker;
      const asked = await ledger.notifications.asked(projectId, source, on.sourceId);
      const settled = asked.filter((each) => isOwn(asker, each) && SETTLED.includes(each.status));
      const questions = [...(await ownOpen(asker)), ...settled.slice(-MAX)].map(shown);
      return { text: JSON.stringify(questions), structured: { questions } };
    },
  };
}

const SETTLED: Status[] = ['answered', 'skipped', 'declined', 'delivered'];

function shown({ id, status, createdAt, questions, responses }: Notification): object {
  const texts = questions.map(({ text }) => text);
  return { id, status, createdAt, questions: texts, ...(status === 'open' ? {} : { responses }) };
}

async function ownOpen(asker: Asker): Promise<Notification[]> {
  const { ledger, projectId } = asker;
  const own: Notification[] = [];
  let after: string | undefined;
  do {
    const page = await ledger.notifications.list({ projectId, after, limit: PAGE });
    own.push(...page.notifications.filter((asked) => isOwn(asker, asked)));
    after = page.next;
  } while (after !== undefined && own.length < MAX);
  return own.slice(0, MAX);
}

export function getAnswer(asker: Asker): Tool {
  const Input = z.object({ id: z.string().describe('The id of the question.') });
  return {
    name: 'get_answer',
    title: 'Get an answer',
    description: 'Get the state of one of your questions, and its answer if there is one. It does not wait.',
    annotations: READS,
    input: Input,
    output: State,
    async call(input) {
      const { id } = check(Input, input, 'get_answer');
      const asked = await asker.ledger.notifications.get(asker.projectId, id).catch(undefinedIfMissing);
      if (!asked || !isOwn(asker, asked))
        throw new FermataError('not_found', `You have no question ${id}. Call list_questions to see yours.`);
      const { status, outcome, responses, reason } = asked;
      const state = { id, status, outcome, responses, reason };
      const reply = { text: JSON.stringify(state), structured: state };
      if (!SETTLED.includes(status)) return reply;
      return { ...reply, sent: () => handOver(asker.ledger, asked, async () => true, asker.by) };
    },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof FermataError && error.code === 'not_found') return undefined;
  throw error;
}
