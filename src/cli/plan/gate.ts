import type { Command } from 'commander';
import { schemasFolder } from '../../agents/process/program.ts';
import { parseMilliseconds } from '../../config/duration.ts';
import { cmd } from '../../schema/command-line.ts';
import { findingsGate, planGate } from '../../work/discovery/review-gates.ts';
import type { GateWait } from '../../work/gates/block-gate.ts';
import { loggingGate, testingGate } from '../../work/gates/phase-gates.ts';
import { variantsGate } from '../../work/gates/variants-gate.ts';
import { findPlanFolder } from '../../work/phases/find-plan.ts';
import { findPhaseTask, groupOf } from '../../work/phases/phase-task.ts';
import type { Surroundings } from '../../work/phases/plan-context.ts';
import { personName } from '../command-context.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withTrustOption } from '../trust/trust-options.ts';
import {
  type FollowedPlanOptions,
  ofPhase,
  PLAN,
  type PlanOptions,
  withFollowedPlan,
  withPhase,
  withPlan,
  withSurroundings,
} from './plan-context.ts';

interface GateOptions extends PlanOptions {
  timeout?: string;
}

const TIMEOUT = [
  '--timeout <duration>',
  'stop waiting after this time, with exit code 3; the gate stays open',
] as const;

/** The commands that wait for a person. */
export function defineGates(plan: Command): void {
  const gates = [
    ['block-prompt-testing-gate', 'wait until a person has tested the phase', testing],
    ['block-prompt-variants-gate', 'wait until a person has decided on the variants', variants],
    ['block-debugging-logging-gate', 'wait until a person has run the phase and pasted its logs', logging],
  ] as const;
  for (const [name, summary, wait] of gates) {
    const command = ofPhase(plan, name, summary);
    if (wait === variants) withTrustOption(command);
    command
      .description(
        `${summary[0]?.toUpperCase()}${summary.slice(1)}. They answer in the inbox, with "fermata answer", or in the gate file. Calling it again waits for the same gate.`,
      )
      .option(...TIMEOUT)
      .addHelpText('after', `\nExample:\n  fermata plan ${name} 2 A`)
      .action((number: string, variant: string | undefined, options: GateOptions) =>
        planCommand(() => wait(number, variant, options)),
      );
  }
  asPlanCommand(plan.command('block-findings-gate'))
    .summary('wait until a person has reviewed the approaches')
    .description(
      'Wait until a person has reviewed the approaches for this feature, and print which of them need changes or are rejected.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-findings-gate')
    .action((options: GateOptions) => planCommand(() => findings(options)));
  asPlanCommand(plan.command('block-plan-gate'))
    .summary('wait until a person has approved the plan')
    .description(
      'Wait until a person has approved the plan or said what needs to change. Approving the plan archives the approaches.',
    )
    .option(...PLAN)
    .option(...TIMEOUT)
    .addHelpText('after', '\nExample:\n  fermata plan block-plan-gate --timeout 1h')
    .action((options: GateOptions) => planCommand(() => approval(options)));
}

/** The timeout of a variant's gate command that runs only for the comparison. */
const GATE_TIMEOUT_MS = 10 * 60 * 1000;

const testing = (number: string, variant: string | undefined, options: GateOptions) =>
  waiting(options, (wait) =>
    withPhase(options, number, variant, (planContext, at) => testingGate(planContext, at, wait)),
  );

const logging = (number: string, variant: string | undefined, options: GateOptions) =>
  waiting(options, (wait) =>
    withPhase(options, number, variant, (planContext, at) => loggingGate(planContext, at, wait)),
  );

/** Accepts a phase with variants as a whole. Runs missing gate commands for the comparison. */
const variants = (number: string, variant: string | undefined, options: GateOptions & FollowedPlanOptions) =>
  waiting(options, (wait) =>
    withFollowedPlan(options, (planContext) => {
      const isWhole = variant === undefined && groupOf(planContext.plan, planContext.name, number).length > 1;
      const at = isWhole ? undefined : findPhaseTask(planContext.plan, planContext.name, number, variant);
      const all = { ...wait, gateTimeoutMs: GATE_TIMEOUT_MS };
      return variantsGate(planContext, at?.number ?? number, at?.variant ?? null, all);
    }),
  );

const findings = (options: GateOptions) =>
  waiting(options, (wait) =>
    withSurroundings(options, async (around) =>
      findingsGate(around, await scopeOf(around, options.plan), wait),
    ),
  );

const approval = (options: GateOptions) =>
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

/** Approaches belong to a feature, which may have no plan yet; outside git, to a plan. */
export async function scopeOf(around: Surroundings, plan: string | undefined): Promise<string> {
  const { featureBranch } = around.here;
  return featureBranch ?? (await findPlanFolder(around, plan)).name;
}
