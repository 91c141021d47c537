import * as z from 'zod';
import { noAnswerText, spokenResponse } from '../../agents/answer-text.ts';
import { check } from '../../ledger/check.ts';
import type { Asker } from '../asker.ts';
import type { Tool } from '../tool.ts';
import { hold } from './hold.ts';

const AskHuman = z.object({
  question: z.string().describe('What you need to know, in full sentences.'),
  options: z
    .array(z.union([z.object({ label: z.string(), description: z.string().optional() }), z.string()]))
    .optional()
    .describe('The answers you can think of, each with what speaks for and against it.'),
  multi: z.boolean().optional().describe('Several options may be picked.'),
  recommended: z.string().optional().describe('The label of the option that you would take.'),
  context: z.string().optional().describe('What one has to know to answer.'),
});

export function askHuman(asker: Asker): Tool {
  return {
    name: 'ask_human',
    description:
      'Ask the person a question and wait for the answer, which may take long. Use it where a wrong guess would be expensive.',
    inputSchema: z.toJSONSchema(AskHuman),
    async call(input, call) {
      const { question, ...rest } = check(AskHuman, input, 'ask_human');
      const questions = [{ text: question, ...rest }];
      return hold(asker, call, { source: 'execute', questions, inClient: true }, (settled) => ({
        text:
          settled.outcome === 'answered'
            ? settled.responses.map(spokenResponse).join('\n')
            : noAnswerText(settled),
      }));
    },
  };
}
