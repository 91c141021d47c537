import type { Command } from 'commander';
import { findApproaches, writeApproach } from '../../work/discovery/approaches.ts';
import { readDesignManifest } from '../../work/discovery/design-manifest.ts';
import { findPlanFolder } from '../../work/phases/find-plan.ts';
import type { Surroundings } from '../../work/phases/plan-context.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { PLAN, type PlanOptions, withPlan, withSurroundings } from './plan-context.ts';

interface ApproachOptions extends PlanOptions {
  description?: string;
  variant?: string;
  context?: string;
  files?: string;
  questions?: string;
}

/** The commands about approaches, before there is a plan. */
export function defineDiscovery(plan: Command): void {
  asPlanCommand(plan.command('write-approach'))
    .summary('record an approach')
    .description(
      "Record a specialist's approach. If several approaches share a number, each needs a variant letter. Its questions go to the inbox.",
    )
    .argument('<agent>', 'the specialist')
    .argument('<number>', 'the number of the approach')
    .option('--description <text>', 'what it is, in one sentence')
    .option('--variant <letter>', 'which variant, if there are several')
    .option('--context <text>', 'the background that an implementer needs')
    .option('--files <list>', 'the files it concerns, separated by commas')
    .option('--questions <list>', 'questions to ask, separated by |')
    .option(...PLAN)
    .addHelpText(
      'after',
      '\nExample:\n  fermata plan write-approach frontend 1 --variant A --description "Server-side form" --context "…" --files src/form.ts',
    )
    .action((agent: string, number: string, options: ApproachOptions) =>
      planCommand(() => write(agent, number, options)),
    );
  asPlanCommand(plan.command('get-finding-approach'))
    .summary('print an approach, with the changes a person wants')
    .description(
      'Print an approach, or all variants of its number, with "pending_refinement" if a person asked for changes.',
    )
    .argument('<agent>', 'the specialist')
    .argument('<number>', 'the number of the approach')
    .argument('[variant]', 'which variant')
    .option(...PLAN)
    .addHelpText('after', '\nExample:\n  fermata plan get-finding-approach frontend 1 A')
    .action((agent: string, number: string, variant: string | undefined, options: PlanOptions) =>
      planCommand(() => inScope(options, (place) => findApproaches(place, agent, number, variant))),
    );
  asPlanCommand(plan.command('read-design-manifest'))
    .summary("list the plan's designs")
    .description('List the designs in the design/manifest.yaml of the plan.')
    .option(...PLAN)
    .addHelpText('after', '\nExample:\n  fermata plan read-design-manifest')
    .action((options: PlanOptions) =>
      planCommand(() => withPlan(options, async ({ folder }) => readDesignManifest(folder))),
    );
}

const write = (agent: string, number: string, options: ApproachOptions) =>
  inScope(options, (place) => {
    const { description, variant, context, files, questions } = options;
    return writeApproach(place, { agent, number, description, variant, context, files, questions });
  });

/** Approaches belong to a feature, which may have no plan yet; outside git, to a plan. */
export async function scopeOf(around: Surroundings, plan: string | undefined): Promise<string> {
  const { featureBranch } = around.here;
  return featureBranch ?? (await findPlanFolder(around, plan)).name;
}

function inScope<T>(
  options: PlanOptions,
  work: (place: Surroundings & { scope: string }) => Promise<T>,
): Promise<T> {
  return withSurroundings(options, async (around) =>
    work({ ...around, scope: await scopeOf(around, options.plan) }),
  );
}
