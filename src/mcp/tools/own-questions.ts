import * as z from 'zod';
import { check } from '../../ledger/check.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import { type Asker, isOwn } from '../asker.ts';
import type { Tool } from '../tool.ts';

const MOST = 100;
const PAGE = 1000;

export function listQuestions(asker: Asker): Tool {
  return {
    name: 'list_questions',
    description: 'The questions that you asked and that still wait for a person.',
    inputSchema: z.toJSONSchema(z.object({})),
    async call() {
      const list = (await ownOpen(asker)).map(({ id, createdAt, questions }) => ({
        id,
        createdAt,
        questions: questions.map((q) => q.text),
      }));
      return { text: JSON.stringify(list) };
    },
  };
}

async function ownOpen(asker: Asker): Promise<Notification[]> {
  const { ledger, projectId } = asker;
  const own: Notification[] = [];
  let after: string | undefined;
  do {
    const page = await ledger.notifications.list({ projectId, after, limit: PAGE });
    own.push(...page.notifications.filter((asked) => isOwn(asker, asked)));
    after = page.next;
  } while (after !== undefined && own.length < MOST);
  return own.slice(0, MOST);
}

export function getAnswer(asker: Asker): Tool {
  const Input = z.object({ id: z.string().describe('The id of the question.') });
  return {
    name: 'get_answer',
    description: 'How a question of yours stands, and its answer where there is one. It does not wait.',
    inputSchema: z.toJSONSchema(Input),
    async call(input) {
      const { id } = check(Input, input, 'get_answer');
      const asked = await asker.ledger.notifications.get(asker.projectId, id);
      if (!isOwn(asker, asked)) throw new FermataError('not_found', `There is no question ${id} of yours.`);
      const { status, outcome, responses, reason } = asked;
      return { text: JSON.stringify({ id, status, outcome, responses, reason }) };
    },
  };
}
