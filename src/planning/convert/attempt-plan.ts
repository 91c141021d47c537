import { addUsage, noUsage, type Usage } from '../../agents/driver.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { FermataError } from '../../schema/error.ts';
import { gatherSurroundings } from '../audit/gather-surroundings.ts';
import type { Issue } from '../audit/issue.ts';
import type { FileBlock } from '../file-blocks.ts';
import { writePlanFolder } from '../write-plan-folder.ts';
import { type Assessment, assessAnswer } from './assess-answer.ts';
import { bestAttempt } from './best-attempt.ts';
import { forgetAttempts, keepAttempt, openAttempts } from './keep-attempts.ts';
import { toldIssues } from './previous-issues.ts';

/** How to come by a plan. `Stopped` is whatever `ask` has to say where it has no answer. */
export interface Attempting<Stopped> {
  /** The plan's folder. */
  output: string;
  /** Whether a plan that is there is replaced; it is kept as a backup. */
  replace: boolean;
  /** A folder for the attempts of this one plan: where the best of them is if none passes. */
  attempts: string;
  maxIterations: number;
  /** Asks an agent. `previous` is what was wrong with the attempt before; `previousIssuesSection` makes a text of it. */
  ask(attempt: { number: number; previous: readonly Issue[] }): Promise<Answer | { stopped: Stopped }>;
  /** Changes the files of an answer before they are audited. */
  edit?(files: FileBlock[]): FileBlock[];
  /** Looks at a plan that passed the audit; an error among what it finds means another attempt. */
  check?(files: readonly FileBlock[]): Issue[];
  /** Attempts that were made before this process began. */
  earlier?: readonly Attempt[];
  onJudged?(attempt: Attempt): void;
}

interface Answer {
  text: string;
  usage: Usage;
}

/** One attempt, after it was judged. */
export interface Attempt {
  number: number;
  passed: boolean;
  auditPassed: boolean;
  files: string[];
  issues: Issue[];
  durationMs: number;
  usage: Usage;
  /** Where it is kept while no attempt has passed. */
  kept: string;
}

export type Attempted<Stopped> =
  | { kind: 'passed'; attempts: Attempt[]; files: string[]; issues: Issue[]; backup?: string }
  | { kind: 'failed'; attempts: Attempt[]; best: Attempt }
  | { kind: 'stopped'; attempts: Attempt[]; best?: Attempt; stopped: Stopped };

/**
 * The one way from an agent to a plan: ask, read the file blocks, audit; ask again with what was wrong; write the
 * first plan that passes, at once, over a previous one that is kept as a backup. Until then the output folder is not
 * touched, and every attempt is kept in `attempts`.
 *
 * @example
 * const attempted = await attemptPlan<RunEnd>({
 *   output: 'plans/login', replace: false, attempts: join(home, 'attempts', 'login'), maxIterations: 3,
 *   ask: async ({ previous }) => answerOf(await run(prompt + previousIssuesSection(previous))),
 * });
 */
export async function attemptPlan<Stopped>(attempting: Attempting<Stopped>): Promise<Attempted<Stopped>> {
  const attempts: Attempt[] = [...(attempting.earlier ?? [])];
  openAttempts(attempting.attempts);
  for (let number = attempts.length + 1; number <= attempting.maxIterations; number++) {
    const began = performance.now();
    const answer = await attempting.ask({ number, previous: attempts.at(-1)?.issues ?? [] });
    if ('stopped' in answer) {
      if (attempts.length === 0) forgetAttempts(attempting.attempts);
      return { kind: 'stopped', attempts, stopped: answer.stopped, ...withBest(attempts) };
    }
    const { files, auditPassed, issues } = assess(attempting, answer.text);
    const attempt: Attempt = {
      number,
      passed: auditPassed && !issues.some(({ severity }) => severity === 'error'),
      auditPassed,
      files: files.map(({ name }) => name),
      issues,
      durationMs: Math.round(performance.now() - began),
      usage: answer.usage,
      kept: keepAttempt(attempting.attempts, number, answer.text, files),
    };
    attempts.push(attempt);
    crashPoint('attempt.judged');
    attempting.onJudged?.(attempt);
    if (attempt.passed) return { kind: 'passed', attempts, ...place(attempting, attempt, files) };
  }
  const best = bestAttempt(attempts);
  if (!best) throw new FermataError('invalid', 'At least one attempt is needed.');
  return { kind: 'failed', attempts, best };
}

/** What all attempts together have used. */
export const totalUsage = (attempts: readonly Attempt[]) =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);

/** An attempt as it can be stored for a process that goes on with it. */
export const storable = (attempt: Attempt): Attempt => ({ ...attempt, issues: toldIssues(attempt.issues) });

function withBest(attempts: readonly Attempt[]): { best?: Attempt } {
  const best = bestAttempt(attempts);
  return best ? { best } : {};
}

function assess({ output, edit, check }: Attempting<unknown>, text: string): Assessment {
  const assessed = assessAnswer(text, (plan) => gatherSurroundings(output, plan), edit);
  if (!assessed.auditPassed || !check) return assessed;
  return { ...assessed, issues: [...assessed.issues, ...check(assessed.files)] };
}

function place(
  { output, replace, attempts }: Attempting<unknown>,
  { issues, kept }: Attempt,
  files: readonly FileBlock[],
): { files: string[]; issues: Issue[]; backup?: string } {
  let backup: string | undefined;
  try {
    backup = writePlanFolder(output, files, replace);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof FermataError ? cause.code : 'read_only';
    const message = `The plan passed, but could not be written to ${output}: ${why} It is kept in ${kept}.`;
    throw new FermataError(code, message, { cause, details: { kept } });
  }
  forgetAttempts(attempts);
  return { files: files.map(({ name }) => name), issues, ...(backup ? { backup } : {}) };
}
