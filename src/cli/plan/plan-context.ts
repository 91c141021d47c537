import type { Command } from 'commander';
import type { Settings } from '../../config/settings.ts';
import { openPlanContext } from '../../work/phases/open-plan-context.ts';
import { findPhaseTask, type PhaseTask } from '../../work/phases/phase-task.ts';
import type { PlanContext, Surroundings } from '../../work/phases/plan-context.ts';
import { surroundingsOf } from '../../work/phases/surroundings.ts';
import type { CommonOptions } from '../command.ts';
import { type CommandContext, withCommandContext, withTrustedCommandContext } from '../command-context.ts';
import { asPlanCommand } from '../plan-command.ts';
import type { TrustOptions } from '../trust/trust-options.ts';

export const PLAN = ['--plan <dir>', "the plan's folder (default: the plan of this feature)"] as const;

export interface PlanOptions extends CommonOptions {
  plan?: string;
}

/** Options of a command that runs or follows the plan. */
export interface FollowedPlanOptions extends PlanOptions, TrustOptions {}

/** With the settings of the folder in which the command was called. */
type Here<T> = T & { settings: Settings };

/** Runs `work` with the plan that the command is about. */
export function withPlan<T>(
  options: PlanOptions,
  work: (planContext: Here<PlanContext>) => Promise<T>,
): Promise<T> {
  return withSurroundings(options, async (around) =>
    work({ ...(await openPlanContext(around, options.plan)), settings: around.settings }),
  );
}

/**
 * Like `withPlan`, for what runs or follows it: a person has trusted the plan first. Work follows the approved version,
 * whatever its files say now; only a caller that begins a phase (`begins`) gets an error about a change.
 */
export function withFollowedPlan<T>(
  options: FollowedPlanOptions,
  work: (planContext: Here<PlanContext>) => Promise<T>,
  begins = false,
): Promise<T> {
  return withTrustedCommandContext(options, async (context) => {
    const [{ followedPlan }, { appContextOf }] = await Promise.all([
      import('../../work/phases/followed-plan.ts'),
      import('../context.ts'),
    ]);
    const planContext = await followedPlan(appContextOf(context, options), options.plan, {
      ...options,
      begins,
    });
    return work({ ...planContext, settings: context.settings });
  });
}

/** Runs `work` with one phase of that plan. */
export function withPhase<T>(
  options: PlanOptions,
  number: string,
  variant: string | undefined,
  work: (planContext: Here<PlanContext>, at: PhaseTask) => Promise<T>,
): Promise<T> {
  return withPlan(options, (planContext) =>
    work(planContext, findPhaseTask(planContext.plan, planContext.name, number, variant)),
  );
}

export function withFollowedPhase<T>(
  options: FollowedPlanOptions,
  number: string,
  variant: string | undefined,
  work: (planContext: Here<PlanContext>, at: PhaseTask) => Promise<T>,
  begins = false,
): Promise<T> {
  return withFollowedPlan(
    options,
    (planContext) => work(planContext, findPhaseTask(planContext.plan, planContext.name, number, variant)),
    begins,
  );
}

/** The same, before there is a plan. */
export function withSurroundings<T>(
  options: CommonOptions,
  work: (around: Here<Surroundings>) => Promise<T>,
): Promise<T> {
  return withCommandContext(options, async (context) =>
    work({ ...(await surroundingsHere(context)), settings: context.settings }),
  );
}

/** Where a command was called, without a plan. */
export const surroundingsHere = ({ ledger, settings, by, project }: CommandContext): Promise<Surroundings> =>
  surroundingsOf({ ledger, settings, cwd: process.cwd(), who: by('command'), project });

/** A command for an agent that works on a phase. */
export function ofPhase(plan: Command, name: string, summary: string): Command {
  return asPlanCommand(plan.command(name))
    .summary(summary)
    .argument('<number>', 'the number of the phase')
    .argument('[variant]', 'the letter of its variant')
    .option(...PLAN);
}
