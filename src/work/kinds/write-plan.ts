import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { isReadWithin } from '../../agents/is-read-within.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { failureLine } from '../../plan/convert/attempt.ts';
import type { PlanRunResult } from '../../schema/plan-run.ts';
import type { Run } from '../../schema/run.ts';
import { type Context, holding } from '../context.ts';
import { acceptAnswer } from '../run/perform.ts';
import { type PlanOutcome, type PlanWork, planAnswer } from './plan-answer.ts';

/** The result of having an agent write a plan. */
export interface WrittenPlan {
  result: PlanRunResult;
  /** The plan's folder. */
  output: string;
  outcome: PlanOutcome;
  /** Why there is no plan. */
  problem?: string;
}

interface Writing
  extends Omit<PlanWork, 'report'>,
    Pick<RunOptions, 'questions' | 'maxRounds' | 'onRun' | 'signal'> {
  driver: AgentDriver;
  setup: AgentSetup;
}

/** Has an agent write a plan: it may read its folder, and its activity is reported. */
export async function writePlan(
  { ledger, report, held }: Pick<Context, 'ledger' | 'report' | 'held'>,
  writing: Writing,
): Promise<WrittenPlan> {
  const { driver, setup, questions, maxRounds, onRun, signal, ...plan } = writing;
  const conducting: RunOptions = {
    ...{ ledger, driver, setup, questions, maxRounds, onRun, signal, ...holding(held) },
    allows: (tool, input) => isReadWithin(setup.cwd, tool, input),
    onEvent: (event) => report({ kind: 'activity', event }),
    onRetry: (text) => report({ kind: 'notice', text }),
  };
  const outcome = await planAnswer(conducting, { ...plan, report });
  const problem = problemOf(outcome);
  const result = resultOf(outcome, signal);
  return { result, output: plan.output, outcome, ...(problem === undefined ? {} : { problem }) };
}

/** Closes a plan that is in use: publishes it and marks its questions as delivered. */
export async function closePlan(
  { ledger, held, who: by }: Pick<Context, 'ledger' | 'held' | 'who'>,
  run: Run,
  ids: readonly string[] = [],
): Promise<void> {
  await held?.publish();
  await acceptAnswer(ledger, run, { ids, by });
}

function resultOf(outcome: PlanOutcome, signal: AbortSignal | undefined): PlanRunResult {
  if (outcome.kind === 'passed') return 'done';
  if (outcome.kind === 'failed') return 'failed';
  if (signal?.aborted) return 'interrupted';
  return outcome.waiting.some(({ status }) => status === 'open') ? 'waiting' : 'failed';
}

function problemOf(outcome: PlanOutcome): string | undefined {
  if (outcome.kind === 'passed') return undefined;
  return outcome.kind === 'failed' ? failureLine(outcome.attempts) : outcome.message;
}
