import { isRecord } from '../../ledger/forms/record.ts';
import type { Notification } from '../../schema/notification.ts';
import { noAnswerText, responseAsText } from './answer-text.ts';

/**
 * The MCP server that has the tool below. It is not called `fermata`, because the person may have configured our MCP
 * server under that name.
 */
export const HUMAN_SERVER = 'fermata_run';

/** Our own question tool, for agents and sub-agents that have none when we run them. */
export const askHuman = {
  type: 'function',
  name: 'ask_human',
  description:
    'Ask the person who gave you this task. Use it if a wrong guess would be expensive and the answer is not in the repository. It waits for the answer, which may take a long time.',
  inputSchema: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            question: { type: 'string', description: 'What you need to know, in full sentences.' },
            header: { type: 'string', description: 'A word or two to show above it.' },
            options: {
              type: 'array',
              description: 'The answers you can think of, each with its pros and cons.',
              items: {
                type: 'object',
                properties: { label: { type: 'string' }, description: { type: 'string' } },
                required: ['label'],
              },
            },
            multi: { type: 'boolean', description: 'Whether several options may be chosen.' },
            recommended: { type: 'string', description: 'The label of the option you recommend.' },
          },
          required: ['question'],
        },
      },
    },
    required: ['questions'],
  },
} as const;

/** The questions of a call, however the model wrote them: a list, one object, or plain text. */
export function rawQuestions(input: unknown): unknown[] {
  if (!isRecord(input)) return [];
  if (Array.isArray(input.questions)) return input.questions;
  return input.question === undefined ? [] : [input];
}

/** The result of a call: each question with its answer. */
export function answerText(settled: Notification): string {
  if (settled.outcome !== 'answered') return noAnswerText(settled);
  return settled.questions
    .map((question) => {
      const response = settled.responses.find((each) => each.questionId === question.id);
      return `${question.text}\n${responseAsText(response)}`;
    })
    .join('\n\n');
}
