import { freshQuestions } from '../../../agents/roles/fresh-questions.ts';
import { roles } from '../../../agents/roles/role.ts';
import type { RoleAnswer } from '../../../agents/roles/role-answer.ts';
import type { RunOptions } from '../../../agents/run/run-options.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { slug } from '../../../plan/plan-folder.ts';
import { limits } from '../../../schema/limits.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { Run } from '../../../schema/run.ts';
import type { RoleKind, WorkTask } from '../../../schema/work.ts';
import { repairPrompt } from '../../run/brief-sections.ts';
import { readHistory } from '../../run/history.ts';
import { type Performed, perform, type Verdict } from '../../run/perform.ts';

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

/** What is sent back says why an answer cannot be used. */
export type Consulted<T> = Performed<T>;

/** How often a role may come back with questions. */
const MAX_ROUNDS = 5;

/** How often an unusable answer is repaired. */
const REPAIRS = 1;

/**
 * Asks a role until there is an answer, or a person has to give one. It is over when the task has its result, so an
 * accepted answer stays valid until then.
 */
export function consult<T>(consulting: Consulting<T>): Promise<Consulted<T>> {
  const { conducting, task, basis, waits } = consulting;
  const asker = askerOf(task);
  return perform({
    asker,
    conducting,
    limits: { rounds: { fix: REPAIRS } },
    whenAsked: waits ? 'wait' : 'return',
    brief: ({ asked, sentBack, past: [last] }) => ({
      prompt: repairPrompt(consulting.prompt(asked), sentBack.at(-1)),
      work: asker.work,
      progress: { basis: basis?.(), rounds: last?.run.data.rounds },
    }),
    judge: ({ text, run, history }) => verdictOn(consulting.read(text, run), history.asked),
  });
}

export async function runsOfRequest(ledger: Ledger, task: WorkTask<RoleKind>): Promise<string[]> {
  return (await readHistory(ledger, askerOf(task))).past.map(({ run }) => run.id);
}

const askerOf = (task: WorkTask<RoleKind>) => ({
  projectId: task.projectId,
  source: roles[roleOf[task.kind]],
  sourceId: subjectOf(task),
  taskId: task.id,
  work: { for: 'answer' as const, about: task.id },
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
function verdictOn<T>(answer: RoleAnswer<T>, asked: Notification[]): Verdict<T> {
  switch (answer.kind) {
    case 'answer':
      return { kind: 'ended', result: answer.value };
    case 'unreadable':
      return sendBack(answer.reason);
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
): Verdict {
  const inAnswers = asked.filter(({ resume }) => resume?.toolCallId === undefined);
  const rounds = new Set(inAnswers.map(({ resume }) => resume?.run)).size;
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

const sendBack = (findings: string): Verdict => ({ kind: 'send_back', purpose: 'fix', findings });
