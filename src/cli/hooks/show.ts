import { visible } from '../../schema/visible.ts';
import { standings } from '../../work/phases/overview.ts';
import { phaseName } from '../../work/phases/phase-task.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';
import { withPlan } from '../plan/plan-context.ts';

/** Prints the plan's progress, for a person who just switched to a phase's branch. */
export function showProgress(options: CommonOptions): Promise<void> {
  return withPlan(options, async (planContext) => {
    const all = await standings(planContext);
    const done = all.filter(({ status }) => status === 'completed').length;
    const [, name] = /--implementation-(.+)$/.exec(planContext.checkouts.branch ?? '') ?? [];
    const here = all.find(({ at }) => phaseName(at) === name);
    const report = {
      plan: planContext.name,
      phase: here ? phaseName(here.at) : null,
      status: here?.status ?? null,
      done,
      phases: all.length,
    };
    if (options.format === 'json') return printJson(report);
    const phase = here ? `Phase ${phaseName(here.at)}, ${here.at.phase.title}: ${here.status}. ` : '';
    await print(visible(`${phase}${done} of ${all.length} phases of ${planContext.name} are done.`));
  });
}
