import * as z from 'zod';
import { noAnswerText, responseAsText } from '../../agents/questions/answer-text.ts';
import { check } from '../../ledger/check.ts';
import { Outcome } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { Tool } from '../tool.ts';
import { hold } from './hold.ts';

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

export function askHuman(asker: Asker): Tool {
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
