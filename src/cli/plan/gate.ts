import { schemasFolder } from '../../agents/process/program.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { cmd } from '../../schema/command-line.ts';
import { findingsGate, planGate } from '../../work/discovery/review-gates.ts';
import type { GateWait } from '../../work/gates/block-gate.ts';
import { loggingGate, testingGate } from '../../work/gates/phase-gates.ts';
import { variantsGate } from '../../work/gates/variants-gate.ts';
import { findPhaseTask, groupOf } from '../../work/phases/phase-task.ts';
import { personName } from '../command-context.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { scopeOf } from './discovery.ts';
import {
  type FollowedPlanOptions,
  type PlanOptions,
  withFollowedPlan,
  withPhase,
  withPlan,
  withSurroundings,
} from './plan-context.ts';

export interface GateOptions extends PlanOptions {
  timeout?: string;
}

/** The timeout of a variant's gate command that runs only for the comparison. */
const GATE_TIMEOUT_MS = 10 * 60 * 1000;

export const testing = (number: string, variant: string | undefined, options: GateOptions) =>
  waiting(options, (wait) =>
    withPhase(options, number, variant, (planContext, at) => testingGate(planContext, at, wait)),
  );

export const logging = (number: string, variant: string | undefined, options: GateOptions) =>
  waiting(options, (wait) =>
    withPhase(options, number, variant, (planContext, at) => loggingGate(planContext, at, wait)),
  );

/** Accepts a phase with variants as a whole. Runs missing gate commands for the comparison. */
export const variants = (
  number: string,
  variant: string | undefined,
  options: GateOptions & FollowedPlanOptions,
) =>
  waiting(options, (wait) =>
    withFollowedPlan(options, (planContext) => {
      const isWhole = variant === undefined && groupOf(planContext.plan, planContext.name, number).length > 1;
      const at = isWhole ? undefined : findPhaseTask(planContext.plan, planContext.name, number, variant);
      const all = { ...wait, gateTimeoutMs: GATE_TIMEOUT_MS };
      return variantsGate(planContext, at?.number ?? number, at?.variant ?? null, all);
    }),
  );

export const findings = (options: GateOptions) =>
  waiting(options, (wait) =>
    withSurroundings(options, async (around) =>
      findingsGate(around, await scopeOf(around, options.plan), wait),
    ),
  );

export const plan = (options: GateOptions) =>
  waiting(options, (wait) =>
    withPlan(options, async (planContext) =>
      planGate(planContext, await scopeOf(planContext, options.plan), wait),
    ),
  );

function waiting<T>({ timeout }: GateOptions, work: (wait: GateWait) => Promise<T>): Promise<T> {
  const timeoutMs = timeout === undefined ? undefined : parseMilliseconds(timeout, '--timeout');
  return interruptible((signal) =>
    work({
      timeoutMs,
      signal,
      // A file is not signed, so it counts as the answer of the account's owner.
      person: { actor: { kind: 'person', name: personName() }, channel: 'gate-file' },
      schemas: schemasFolder(),
      tell,
      announce: ({ id, gate }) =>
        tell(`Waiting for a person. Answer with "${cmd`answer ${id}`}", or fill in ${gate?.file}`),
    }),
  );
}
