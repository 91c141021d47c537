import * as z from 'zod';
import { noAnswerText, responseAsText } from '../agents/questions/answer-text.ts';
import { check } from '../ledger/check.ts';
import { Outcome } from '../schema/notification.ts';
import type { Asker } from './asker.ts';
import type { Tool } from './tool.ts';
import { hold } from './tools/hold.ts';
import { getAnswer, listQuestions } from './tools/own-questions.ts';
import { permission } from './tools/permission.ts';

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
