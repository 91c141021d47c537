import { isRecord } from '../../../ledger/forms/record.ts';
import type { Notification } from '../../../schema/notification.ts';
import { noAnswerText, spokenResponse } from '../../answer-text.ts';

/**
 * The tool that we give to Codex: its own `request_user_input` is offered in plan mode only and is marked as under
 * development, while a tool of ours works in every mode and has no limit on options.
 */
export const askHuman = {
  type: 'function',
  name: 'ask_human',
  description:
    'Ask the person who gave you this task. Use it where a wrong guess would be expensive and the answer is not in the repository. It waits for the answer, which may take long.',
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
              description: 'The answers that you can think of, each with what speaks for and against it.',
              items: {
                type: 'object',
                properties: { label: { type: 'string' }, description: { type: 'string' } },
                required: ['label'],
              },
            },
            multi: { type: 'boolean', description: 'Several options may be picked.' },
            recommended: { type: 'string', description: 'The label of the option that you would take.' },
          },
          required: ['question'],
        },
      },
    },
    required: ['questions'],
  },
} as const;

/** The questions of a call, however the model wrote them: a list, one object, or plain texts. */
export function askedQuestions(input: unknown): unknown[] {
  if (!isRecord(input)) return [];
  if (Array.isArray(input.questions)) return input.questions;
  return input.question === undefined ? [] : [input];
}

/** What the tool returns to the model. */
export function toolAnswer(settled: Notification): { contentItems: object[]; success: boolean } {
  return { contentItems: [{ type: 'inputText', text: answerOf(settled) }], success: true };
}

function answerOf(settled: Notification): string {
  if (settled.outcome !== 'answered') return noAnswerText(settled);
  return settled.questions
    .map((question) => {
      const response = settled.responses.find((each) => each.questionId === question.id);
      return `${question.text}\n${spokenResponse(response)}`;
    })
    .join('\n\n');
}

/** Codex' own form of an answer: by the ids that it gave, as arrays. */
export function userInputAnswer(settled: Notification): { answers: Record<string, { answers: string[] }> } {
  const answers = settled.questions.map((question) => {
    const response = settled.responses.find((each) => each.questionId === question.id);
    const values = response?.kind === 'answered' ? [response.answer].flat() : [spokenResponse(response)];
    return [question.id, { answers: values }] as const;
  });
  return { answers: Object.fromEntries(answers) };
}
