import * as z from 'zod';
import { noAnswerText, responseAsText } from '../agents/questions/answer-text.ts';
import { askForm } from '../agents/questions/forms.ts';
import { noteOf, permissionQuestion, REFUSED } from '../agents/questions/permission-question.ts';
import { check } from '../ledger/check.ts';
import { handOver } from '../ledger/tasks/hand-over.ts';
import { isApproved } from '../schema/approval.ts';
import { FermataError } from '../schema/error.ts';
import { Notification, Outcome, type Status } from '../schema/notification.ts';
import { type Asker, isOwn } from './asker.ts';
import { hold } from './hold.ts';
import type { Tool, ToolCall, ToolResult } from './server.ts';

export function mcpTools(asker: Asker): Tool[] {
  return [askHuman(asker), permission(asker), listQuestions(asker), getAnswer(asker), reportProgress(asker)];
}

const AskHuman = z.object({
  question: z.string().describe('What you need to know, in full sentences.'),
  options: z
    .array(z.union([z.object({ label: z.string(), description: z.string().optional() }), z.string()]))
    .optional()
    .describe('2 to 4 complete answers, each with its pros and cons.'),
  multi: z.boolean().optional().describe('Whether several options may be chosen.'),
  recommended: z.string().optional().describe('The label of the option you recommend.'),
  context: z.string().optional().describe('What a person needs to know to answer.'),
});

const Answered = z.object({
  answer: z.string().describe("The person's answer, or why there is none."),
  outcome: Outcome.describe('Only "answered" means that the person decided.'),
  id: z.string().describe('The id of the question, for get_answer.'),
});

function askHuman(asker: Asker): Tool {
  return {
    name: 'ask_human',
    title: 'Ask a person',
    description:
      'Ask the person a question and wait for the answer, which may take a long time. Use it if a wrong guess would be expensive.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: AskHuman,
    output: Answered,
    async call(input, call) {
      const { question, ...rest } = check(AskHuman, input, 'ask_human');
      const questions = [{ text: question, ...rest }];
      return hold(asker, call, { source: asker.source, questions, inClient: true }, (settled) => {
        const { id, outcome, responses } = settled;
        const text =
          outcome === 'answered' ? responses.map(responseAsText).join('\n') : noAnswerText(settled);
        return { text, structured: { answer: text, outcome, id } };
      });
    },
  };
}

const Progress = z.object({
  message: z.string().min(1).describe('What is done and what comes next, in a sentence or two.'),
});

const Told = z.object({ shownIn: z.enum(['chat', 'notice']).describe('Where the person reads it.') });

/** Goes to the chat of the agent's task, or becomes a notice. */
function reportProgress({ ledger, projectId, on: { sourceId }, source, by }: Asker): Tool {
  return {
    name: 'report_progress',
    title: 'Report progress',
    description: 'Tell the person how far you are. It needs no answer, and you need not wait.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: Progress,
    output: Told,
    async call(input) {
      const { message } = check(Progress, input, 'report_progress');
      const isTask = (await ledger.tasks.find(projectId, sourceId)) !== undefined;
      if (isTask) {
        await ledger.tasks.say(projectId, sourceId, message, by);
      } else {
        const questions = [{ id: 'progress', text: message }];
        await ledger.notifications.create({ projectId, source, sourceId, questions, notice: true }, by);
      }
      return { text: 'The person will see it.', structured: { shownIn: isTask ? 'chat' : 'notice' } };
    },
  };
}

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

function listQuestions(asker: Asker): Tool {
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

function getAnswer(asker: Asker): Tool {
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

const Permission = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

/**
 * For `claude --permission-prompt-tool mcp__fermata__permission`, which also brings its AskUserQuestion to a person in
 * `-p`. It has no output schema, because Claude Code reads the decision from the text.
 */
function permission(asker: Asker): Tool {
  return {
    name: 'permission',
    title: 'Ask for permission',
    description:
      'Decides whether a tool may be used, and answers AskUserQuestion. Called by the agent program, not by the model.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: Permission,
    async call(input, call) {
      const { tool_name, input: toolInput, tool_use_id } = check(Permission, input, 'permission');
      if (tool_name === 'AskUserQuestion') return askUser(asker, call, toolInput, tool_use_id);
      return permit(asker, call, tool_name, toolInput, tool_use_id);
    },
  };
}

async function permit(
  asker: Asker,
  call: ToolCall,
  tool: string,
  input: Record<string, unknown>,
  toolCallId: string | undefined,
): Promise<ToolResult> {
  try {
    const questions = [permissionQuestion({ tool, input })];
    return await hold(asker, call, { source: 'approval', questions, toolCallId }, (settled) => ({
      text: JSON.stringify(decision(settled, input)),
    }));
  } catch (error) {
    // Refuse what we cannot show to a person.
    if (!(error instanceof FermataError) || error.code !== 'invalid') throw error;
    return { text: JSON.stringify({ behavior: 'deny', message: error.message }) };
  }
}

async function askUser(
  asker: Asker,
  call: ToolCall,
  input: Record<string, unknown>,
  toolUseId: string | undefined,
): Promise<ToolResult> {
  const form = askForm(input);
  if (typeof form === 'string') return { text: JSON.stringify({ behavior: 'deny', message: form }) };
  const behaviour = (settled: Notification) => {
    const reply = form.reply(settled);
    if ('allow' in reply) return { behavior: 'allow', updatedInput: reply.allow };
    return { behavior: 'deny', message: 'deny' in reply ? reply.deny : noAnswerText(settled) };
  };
  const asked = { source: asker.source, questions: form.questions, toolCallId: toolUseId };
  return hold(asker, call, asked, (settled) => ({ text: JSON.stringify(behaviour(settled)) }));
}

function decision(settled: Notification, input: Record<string, unknown>): object {
  const [first] = settled.responses;
  if (isApproved(first)) return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: noteOf(settled) ?? REFUSED };
}
