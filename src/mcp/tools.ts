import * as z from 'zod';
import { noAnswerText, spokenResponse } from '../agents/answer-text.ts';
import { askForm } from '../agents/form.ts';
import { permissionQuestion } from '../agents/permission-question.ts';
import { check } from '../ledger/check.ts';
import { handOver } from '../ledger/hand-over.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { CreateInput, Notification } from '../schema/notification.ts';
import type { Tool, ToolCall, ToolResult } from './server.ts';

/** For whom the tools ask: a project, and the asker in it. */
export interface Asker {
  ledger: Ledger;
  projectId: string;
  /** The task that waits, or a name of this session. */
  sourceId: string;
  cwd: string;
  by: By;
}

export function mcpTools(asker: Asker): Tool[] {
  return [askHuman(asker), permission(asker), listQuestions(asker), getAnswer(asker), reportProgress(asker)];
}

const AskHuman = z.object({
  question: z.string().describe('What you need to know, in full sentences.'),
  options: z
    .array(z.object({ label: z.string(), description: z.string().optional() }))
    .optional()
    .describe('The answers you can think of, each with what speaks for and against it.'),
  multi: z.boolean().optional().describe('Several options may be picked.'),
  recommended: z.string().optional().describe('The label of the option that you would take.'),
  context: z.string().optional().describe('What one has to know to answer.'),
});

function askHuman(asker: Asker): Tool {
  return {
    name: 'ask_human',
    description:
      'Ask the person a question and wait for the answer, which may take long. Use it where a wrong guess would be expensive.',
    inputSchema: z.toJSONSchema(AskHuman),
    async call(input, call) {
      const { question, ...rest } = check(AskHuman, input, 'ask_human');
      return hold(
        asker,
        call,
        { source: 'execute', questions: [{ text: question, ...rest }] },
        (settled) => ({
          text:
            settled.outcome === 'answered'
              ? settled.responses.map(spokenResponse).join('\n')
              : noAnswerText(settled),
        }),
      );
    },
  };
}

const Permission = z.object({
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().optional(),
});

/** For `claude --permission-prompt-tool mcp__fermata__permission`: also how its AskUserQuestion reaches a person in `-p`. */
function permission(asker: Asker): Tool {
  return {
    name: 'permission',
    description:
      'Decides whether a tool may be used, and answers AskUserQuestion. Called by the agent program, not by the model.',
    inputSchema: z.toJSONSchema(Permission),
    async call(given, call) {
      const { tool_name, input, tool_use_id } = check(Permission, given, 'permission');
      if (tool_name === 'AskUserQuestion') return askUser(asker, call, input, tool_use_id);
      const wanted = { source: 'approval' as const, questions: [permissionQuestion(tool_name, input)] };
      return hold(
        asker,
        call,
        wanted,
        (settled) => ({ text: JSON.stringify(decision(settled, input)) }),
        tool_use_id,
      );
    },
  };
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
  const wanted = { source: 'execute' as const, questions: form.questions };
  return hold(asker, call, wanted, (settled) => ({ text: JSON.stringify(behaviour(settled)) }), toolUseId);
}

function decision(settled: Notification, input: Record<string, unknown>): object {
  const [first] = settled.responses;
  if (first?.kind === 'answered' && first.answer === 'Approve')
    return { behavior: 'allow', updatedInput: input };
  const why = first?.kind === 'answered' ? first.note : settled.reason;
  return { behavior: 'deny', message: why ?? 'The person refused it.' };
}

function listQuestions({ ledger, projectId }: Asker): Tool {
  return {
    name: 'list_questions',
    description: 'The questions of this project that wait for a person.',
    inputSchema: z.toJSONSchema(z.object({})),
    async call() {
      const { notifications } = await ledger.notifications.list({ projectId });
      const list = notifications.map(({ id, createdAt, questions }) => ({
        id,
        createdAt,
        questions: questions.map((q) => q.text),
      }));
      return { text: JSON.stringify(list) };
    },
  };
}

function getAnswer({ ledger, projectId }: Asker): Tool {
  const Input = z.object({ id: z.string().describe('The id of the question.') });
  return {
    name: 'get_answer',
    description: 'How a question stands, and its answer where there is one. It does not wait.',
    inputSchema: z.toJSONSchema(Input),
    async call(input) {
      const { id } = check(Input, input, 'get_answer');
      const { status, outcome, responses, reason } = await ledger.notifications.get(projectId, id);
      return { text: JSON.stringify({ id, status, outcome, responses, reason }) };
    },
  };
}

const Progress = z.object({
  message: z.string().min(1).describe('What is done and what comes next, in a sentence or two.'),
});

/** Told in the chat of the task that the agent works on, else as a notice. */
function reportProgress({ ledger, projectId, sourceId, by }: Asker): Tool {
  return {
    name: 'report_progress',
    description: 'Tell the person how far you are. It needs no answer, and you need not wait.',
    inputSchema: z.toJSONSchema(Progress),
    async call(input) {
      const { message } = check(Progress, input, 'report_progress');
      if (await ledger.tasks.find(projectId, sourceId)) {
        await ledger.tasks.say(projectId, sourceId, message, by);
      } else {
        const questions = [{ id: 'progress', text: message }];
        await ledger.notifications.create(
          { projectId, source: 'execute', sourceId, questions, notice: true },
          by,
        );
      }
      return { text: 'The person is told.' };
    },
  };
}

/** Stores the question, waits as long as it takes, and marks it delivered once the result is on its way. */
async function hold(
  asker: Asker,
  call: ToolCall,
  wanted: Pick<CreateInput, 'source' | 'questions'>,
  give: (settled: Notification) => ToolResult,
  toolCallId?: string,
): Promise<ToolResult> {
  const { ledger, projectId, sourceId, cwd, by } = asker;
  const resume = { agent: call.client, cwd, ...(toolCallId ? { toolCallId } : {}) };
  const { notification } = await ledger.notifications.create({ ...wanted, projectId, sourceId, resume }, by);
  const settled = await ledger.notifications.wait(projectId, notification.id, call.signal);
  if (!settled) {
    // A permission is for a process that waits for it; a question can be asked for later.
    if (wanted.source === 'approval') {
      await ledger.notifications.withdraw(
        projectId,
        notification.id,
        'The agent no longer waits for it.',
        by,
      );
    }
    throw new FermataError(
      'unavailable',
      `Nobody has answered yet; question ${notification.id} stays open. Ask get_answer for it later.`,
    );
  }
  const sent = () => handOver(ledger, settled, async () => true, by);
  return { ...give(settled), sent };
}
