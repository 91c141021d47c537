import * as z from 'zod';
import { freshQuestions } from '../agents/roles/fresh-questions.ts';
import { roles } from '../agents/roles/role.ts';
import type { RoleAnswer } from '../agents/roles/role-answer.ts';
import type { RunOptions } from '../agents/run/run-options.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { slug } from '../plan/plan-folder.ts';
import { limits } from '../schema/limits.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import type { RoleKind, WorkTask } from '../schema/work.ts';
import type { Judgement, Outcome } from './assignment.ts';
import { executeAssignment } from './execute.ts';
import { readPast } from './past.ts';

export interface Consulting<T> {
  conducting: RunOptions;
  task: WorkTask<RoleKind>;
  /** The prompt with everything that was asked and answered so far. */
  prompt(history: Notification[]): string;
  /** Reads the answer of a run; the run says what the answer is based on. */
  read(text: string, run: Run): RoleAnswer<T>;
  /** A hash of what the answer will rest on, kept with each run. */
  basis?: (() => string) | undefined;
  /** Whether this process keeps waiting while a person is asked; otherwise it ends, and another one continues. */
  waits: boolean;
}

/** The findings say why an answer cannot be used. */
export type Consulted<T> = Outcome<T, string>;

/** How often a role may come back with questions. */
const MAX_ROUNDS = 5;

/** An unusable answer is repaired once. */
const MAX_ATTEMPTS = 2;

/**
 * Asks a role until there is an answer, or a person has to give one. It is over when the task has its result, so an
 * accepted answer stays valid until then.
 */
export function consult<T>(consulting: Consulting<T>): Promise<Consulted<T>> {
  const { conducting, task, basis, waits } = consulting;
  return executeAssignment<T, string>(conducting, {
    ...runsOf(task),
    basis,
    findings: z.string(),
    maxAttempts: MAX_ATTEMPTS,
    waits,
    prompt: ({ asked, sentBack }) => {
      const first = consulting.prompt(asked);
      const last = sentBack.at(-1);
      return last ? repairPrompt(first, last.text, last.findings) : first;
    },
    read: ({ text, run, asked }) => judgement(consulting.read(text, run), asked),
  });
}

export async function runsOfRequest(ledger: Ledger, task: WorkTask<RoleKind>): Promise<string[]> {
  return (await readPast(ledger, runsOf(task))).runs.map(({ id }) => id);
}

const runsOf = (task: WorkTask<RoleKind>) => ({
  projectId: task.projectId,
  source: roles[roleOf[task.kind]],
  sourceId: subjectOf(task),
  work: { for: 'role' as const, task: task.id },
});

export const roleOf = { feedback: 'analyst', prd: 'dreamer', decompose: 'planner' } as const;

/** What its questions are about: the section of a PRD, the plan; for feedback its own id. */
export function subjectOf(task: WorkTask<RoleKind>): string {
  switch (task.kind) {
    case 'feedback':
      return task.id;
    case 'prd':
      return slug(task.input.section);
    case 'decompose':
      return slug(task.input.text);
    default: {
      const never: never = task;
      return never;
    }
  }
}

/** Sends back questions that were asked before, or too often. */
function judgement<T>(answer: RoleAnswer<T>, asked: Notification[]): Judgement<T, string> {
  switch (answer.kind) {
    case 'answer':
      return { kind: 'accept', value: answer.value };
    case 'unreadable':
      return { kind: 'send_back', findings: answer.reason };
    case 'questions':
      return toAsk(answer.questions, asked);
    default: {
      const never: never = answer;
      return never;
    }
  }
}

function toAsk(
  wanted: Extract<RoleAnswer<unknown>, { kind: 'questions' }>['questions'],
  asked: Notification[],
): Judgement<never, string> {
  const inAnswers = asked.filter(({ resume }) => resume?.toolCallId === undefined);
  const rounds = new Set(inAnswers.map(({ resume }) => resume?.run)).size;
  const sendBack = (findings: string) => ({ kind: 'send_back' as const, findings });
  if (rounds >= MAX_ROUNDS) return sendBack(`You have asked ${rounds} times. Decide the rest yourself.`);
  const questions = freshQuestions(
    wanted,
    asked.flatMap((notification) => notification.questions),
  );
  if (Buffer.byteLength(JSON.stringify(questions)) > limits.notificationBytes)
    return sendBack('Your questions are too long. Shorten them, and name files instead of quoting them.');
  if (questions.length === 0) return sendBack('You already asked this. Continue with the answers you have.');
  return { kind: 'ask', questions };
}

const MAX_QUOTED = 20_000;

/** Tells an agent once what was wrong with its answer. */
function repairPrompt(prompt: string, answer: string, reason: string): string {
  return `${prompt}

# Your last answer could not be used

${reason} Answer again, with the JSON object and nothing else. This was your answer:

${answer.trim().slice(0, MAX_QUOTED) || '(nothing)'}
`;
}
