import { noUsage, type Usage } from '../../agents/driver.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { stored } from '../../ledger/engine/stored.ts';
import { gatherSurroundings } from '../../plan/audit/gather-surroundings.ts';
import type { Issue } from '../../plan/audit/rule.ts';
import { type Assessment, assessAnswer } from '../../plan/convert/assess-answer.ts';
import {
  Attempt,
  bestAttempt,
  forgetAttempts,
  keepAttempt,
  openAttempts,
  storable,
} from '../../plan/convert/attempt.ts';
import type { FileBlock } from '../../plan/file-blocks.ts';
import { writePlanFolder } from '../../plan/write-plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import type { Report } from '../report.ts';
import type { AnswerWork, History, SentBack } from '../run/history.ts';
import type { Step } from '../run/next-step.ts';
import { type Answer, type Performed, perform, type Verdict } from '../run/perform.ts';

/** Work whose answer is a plan. */
export interface PlanWork {
  projectId: string;
  taskId: string;
  sourceId: string;
  work: AnswerWork;
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
  /** Describes an attempt in a report: `claude converts notes.md`. */
  doing: string;
  report(report: Report): void;
  /** The caller has reported that an earlier process began it. */
  hasReportedResume?: boolean;
  /** Called before an agent starts or resumes. */
  onAttempt?(): void;
}

/** A plan that passed is in place. The caller accepts the answer of `run` after it has reported the plan. */
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
export async function planAnswer(conducting: RunOptions, plan: PlanWork): Promise<PlanOutcome> {
  const { projectId, taskId, sourceId, work } = plan;
  openAttempts(plan.attempts);
  const performed = await perform<Passed>({
    asker: { projectId, taskId, source: 'plan', sourceId, work },
    conducting,
    limits: { rounds: { fix: plan.maxAttempts - 1 } },
    whenAsked: 'wait',
    before: (step, history, isFirst) => {
      if (isFirst && history.past.length > 0) reportResume(plan, history);
      reportStep(plan, step, history);
    },
    brief: ({ asked, sentBack, past: [last] }) => ({
      prompt: plan.prompt(attemptsOf(sentBack).at(-1)?.issues ?? [], asked),
      work,
      progress: { rounds: last?.run.data.rounds },
    }),
    judge: (answer) => judge(plan, answer),
  });
  const { run } = performed;
  const failed = attemptsOf(performed.sentBack);
  if (performed.kind === 'ended') {
    const { attempt, files } = performed.result;
    return { kind: 'passed', run, attempts: [...failed, attempt], ...place(plan, attempt, files) };
  }
  const best = bestAttempt(failed);
  if (performed.kind === 'given_up') {
    if (!best) throw new FermataError('invalid', 'At least one attempt is needed.');
    return { kind: 'failed', run, attempts: failed, best };
  }
  if (!best) forgetAttempts(plan.attempts);
  return { kind: 'stopped', run, attempts: failed, ...stopped(performed), ...(best ? { best } : {}) };
}

function reportResume({ report, hasReportedResume, maxAttempts }: PlanWork, { sentBack }: History): void {
  const text = `Resuming at attempt ${sentBack.length + 1} of ${maxAttempts}.`;
  if (!hasReportedResume) report({ kind: 'notice', text });
}

function reportStep(plan: PlanWork, step: Step, { sentBack }: History): void {
  const { report, doing, maxAttempts: of } = plan;
  if (step.kind === 'start' || step.kind === 'resume') {
    plan.onAttempt?.();
    report({ kind: 'attempt', number: sentBack.length + 1, of, doing });
  }
  if (step.kind === 'wait' && step.run.status === 'waiting')
    report({ kind: 'parked', open: step.open.map(({ id }) => id) });
}

const attemptsOf = (sentBack: SentBack[]) =>
  sentBack.map(({ findings }) => stored(Attempt, findings, 'why an attempt at a plan was sent back'));

function stopped(performed: Extract<Performed<unknown>, { kind: 'stopped' | 'waiting' }>): Stopped {
  if (performed.kind === 'waiting') {
    const message = 'The agent is waiting for an answer.';
    return { reason: performed.kind, message, usage: noUsage, said: '', waiting: performed.open };
  }
  const { end, said, waiting } = performed;
  return { reason: end.reason, message: end.message, usage: end.usage, said, waiting };
}

function judge(plan: PlanWork, answer: Answer): Verdict<Passed> {
  const { text, run, attempt: number, usage, history } = answer;
  const { files, auditPassed, issues } = assess(plan, text, history.asked);
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
  plan.report({ kind: 'judged', attempt });
  if (attempt.passed) return { kind: 'ended', result: { attempt, files } };
  return { kind: 'send_back', purpose: 'fix', findings: storable(attempt) };
}

function assess({ output, edit, check }: PlanWork, text: string, asked: Notification[]): Assessment {
  const surroundings = (plan: Parameters<typeof gatherSurroundings>[1]) => gatherSurroundings(output, plan);
  const assessed = assessAnswer(text, surroundings, (files) => edit?.(files, asked) ?? files);
  if (!assessed.auditPassed || !check) return assessed;
  return { ...assessed, issues: [...assessed.issues, ...check(assessed.files)] };
}

function place(
  { output, replace, attempts }: PlanWork,
  { issues, kept }: Attempt,
  files: readonly FileBlock[],
): { files: string[]; issues: Issue[]; backup?: string } {
  let backup: string | undefined;
  try {
    backup = writePlanFolder(output, files, replace);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof FermataError ? cause.code : 'read_only';
    const message = `The plan passed the audit, but could not be written to ${output}: ${why} A copy is in ${kept}.`;
    throw new FermataError(code, message, { cause, details: { kept } });
  }
  forgetAttempts(attempts);
  return { files: files.map(({ name }) => name), issues, ...(backup ? { backup } : {}) };
}
