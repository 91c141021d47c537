import { noUsage, type Usage } from '../agents/driver.ts';
import type { RunOptions } from '../agents/run/run-options.ts';
import { crashPoint } from '../ledger/crash-point.ts';
import { gatherSurroundings } from '../plan/audit/gather-surroundings.ts';
import type { Issue } from '../plan/audit/rule.ts';
import { type Assessment, assessAnswer } from '../plan/convert/assess-answer.ts';
import {
  Attempt,
  bestAttempt,
  forgetAttempts,
  keepAttempt,
  openAttempts,
  storable,
} from '../plan/convert/attempt.ts';
import type { FileBlock } from '../plan/file-blocks.ts';
import { isWritten, writePlanFolder } from '../plan/write-plan-folder.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import type { Answer, Assignment, Judgement, Outcome } from './assignment.ts';
import { executeAssignment } from './execute.ts';

/** An assignment whose answer is a plan. */
export interface PlanAssignment
  extends Pick<
    Assignment<unknown, unknown>,
    'projectId' | 'sourceId' | 'work' | 'onResume' | 'onAttempt' | 'onParked'
  > {
  /** The plan's folder. */
  output: string;
  /** Whether an existing plan is replaced; it is kept as a backup. */
  replace: boolean;
  /** A folder for the attempts at this plan, with the best of them if none passes. */
  attempts: string;
  maxAttempts: number;
  /** `previous` is what was wrong with the previous attempt; `previousIssuesSection` turns it into text. */
  prompt(previous: readonly Issue[], asked: Notification[]): string;
  /** Changes the files of an answer before they are audited. */
  edit?(files: FileBlock[], asked: Notification[]): FileBlock[];
  /** Checks a plan that passed the audit; an error in its result means another attempt. */
  check?(files: readonly FileBlock[]): Issue[];
  onJudged?(attempt: Attempt): void;
}

/** A plan that passed is in place. The caller closes the assignment with `run` after it has reported the plan. */
export type PlanOutcome = { attempts: Attempt[]; run: Run } & (
  | { kind: 'passed'; files: string[]; issues: Issue[]; backup?: string }
  | { kind: 'failed'; best: Attempt }
  | ({ kind: 'stopped'; best?: Attempt } & Stopped)
);

/** Why there is no answer. */
interface Stopped {
  reason: string;
  message: string;
  usage: Usage;
  /** What the agent said so far, over all its processes. */
  said: string;
  /** What it has not received yet. */
  waiting: Notification[];
}

interface Passed {
  attempt: Attempt;
  files: FileBlock[];
}

/**
 * The only way from an agent to a plan: reads the file blocks of its answer, audits them, sends them back with what is
 * wrong, and writes the first plan that passes atomically, keeping a previous one as a backup. Until then the output
 * folder is not touched, and every attempt is saved in `attempts`.
 */
export async function writePlan(conducting: RunOptions, plan: PlanAssignment): Promise<PlanOutcome> {
  openAttempts(plan.attempts);
  const outcome = await executeAssignment<Passed, Attempt>(conducting, {
    ...plan,
    source: 'plan',
    findings: Attempt,
    waits: true,
    prompt: ({ asked, sentBack }) => plan.prompt(sentBack.at(-1)?.findings.issues ?? [], asked),
    read: (answer) => judge(plan, answer),
  });
  const { run } = outcome;
  const failed = outcome.sentBack.map(({ findings }) => findings);
  if (outcome.kind === 'accepted') {
    const { attempt, files } = outcome.value;
    return { kind: 'passed', run, attempts: [...failed, attempt], ...place(plan, attempt, files) };
  }
  const best = bestAttempt(failed);
  if (outcome.kind === 'given_up') {
    if (!best) throw new FermataError('invalid', 'At least one attempt is needed.');
    return { kind: 'failed', run, attempts: failed, best };
  }
  if (!best) forgetAttempts(plan.attempts);
  return { kind: 'stopped', run, attempts: failed, ...stopped(outcome), ...(best ? { best } : {}) };
}

function stopped(outcome: Extract<Outcome<unknown, unknown>, { kind: 'stopped' | 'waiting' }>): Stopped {
  if (outcome.kind === 'waiting') {
    const message = 'The agent is waiting for an answer.';
    return { reason: outcome.kind, message, usage: noUsage, said: '', waiting: outcome.open };
  }
  const { end, said, waiting } = outcome;
  return { reason: end.reason, message: end.message, usage: end.usage, said, waiting };
}

function judge(plan: PlanAssignment, answer: Answer): Judgement<Passed, Attempt> {
  const { text, run, attempt: number, usage, asked } = answer;
  const { files, auditPassed, issues } = assess(plan, text, asked);
  const attempt: Attempt = {
    number,
    passed: auditPassed && !issues.some(({ severity }) => severity === 'error'),
    auditPassed,
    files: files.map(({ name }) => name),
    issues,
    durationMs: Date.parse(run.endedAt ?? run.startedAt) - Date.parse(run.startedAt),
    usage,
    kept: keepAttempt(plan.attempts, number, text, files),
  };
  crashPoint('attempt.judged');
  plan.onJudged?.(attempt);
  if (attempt.passed) return { kind: 'accept', value: { attempt, files } };
  return { kind: 'send_back', findings: storable(attempt) };
}

function assess({ output, edit, check }: PlanAssignment, text: string, asked: Notification[]): Assessment {
  const surroundings = (plan: Parameters<typeof gatherSurroundings>[1]) => gatherSurroundings(output, plan);
  const assessed = assessAnswer(text, surroundings, (files) => edit?.(files, asked) ?? files);
  if (!assessed.auditPassed || !check) return assessed;
  return { ...assessed, issues: [...assessed.issues, ...check(assessed.files)] };
}

function place(
  { output, replace, attempts }: PlanAssignment,
  { issues, kept }: Attempt,
  files: readonly FileBlock[],
): { files: string[]; issues: Issue[]; backup?: string } {
  let backup: string | undefined;
  try {
    // A process that was killed after writing the plan could not report it.
    if (!isWritten(output, files)) backup = writePlanFolder(output, files, replace);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof FermataError ? cause.code : 'read_only';
    const message = `The plan passed the audit, but could not be written to ${output}: ${why} A copy is in ${kept}.`;
    throw new FermataError(code, message, { cause, details: { kept } });
  }
  forgetAttempts(attempts);
  return { files: files.map(({ name }) => name), issues, ...(backup ? { backup } : {}) };
}
