import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { check } from '../../ledger/check.ts';
import { FermataError } from '../../schema/error.ts';
import { Answer, Option } from '../../schema/question.ts';

/** What the demo plays: tasks, some of which have to ask, and what the unattended person answers. */
export const Scenario = z.strictObject({
  project: z.string().min(1),
  tasks: z
    .array(
      z.strictObject({
        title: z.string().min(1),
        question: z
          .strictObject({
            text: z.string().min(1),
            context: z.string().optional(),
            options: z.array(Option).optional(),
            recommended: z.string().optional(),
          })
          .optional(),
        answer: Answer.optional(),
      }),
    )
    .min(1)
    .max(20),
});
export type Scenario = z.infer<typeof Scenario>;
export type ScenarioTask = Scenario['tasks'][number];

export function readScenario(path: string): Scenario {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new FermataError('invalid', `${path} cannot be read as a scenario: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  return check(Scenario, value, path);
}

export const sampleScenario: Scenario = {
  project: 'bookshop',
  tasks: [
    {
      title: 'Store orders',
      question: {
        text: 'Which database should the orders go to?',
        context: 'The shop has about 200 orders a day. There is no database in the repository yet.',
        options: [
          { label: 'SQLite', description: 'one file, nothing to run; one writer at a time' },
          { label: 'PostgreSQL', description: 'a server to run; many writers, backups you know' },
        ],
        recommended: 'SQLite',
      },
      answer: 'PostgreSQL',
    },
    {
      title: 'Log in customers',
      question: {
        text: 'How do customers log in?',
        context: 'The issue says "log-in, as usual".',
        options: [
          { label: 'E-mail link', description: 'no password to lose; needs mail' },
          { label: 'Password', description: 'familiar; needs reset and storage' },
          { label: 'Both' },
        ],
      },
      answer: 'E-mail link',
    },
    { title: 'Write the opening hours on the start page' },
  ],
};
