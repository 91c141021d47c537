import { join } from 'node:path';
import type { Phase } from '../../plan/grammar/plan.ts';
import { plansIn } from '../../plan/plan-folder.ts';
import { Refusal } from '../../schema/refusal.ts';
import { openPlanContext, readUsablePlan } from '../../work/phases/open-plan-context.ts';
import type { PlanContext, Surroundings } from '../../work/phases/plan-context.ts';
import {
  agentFilesFor,
  allTemplates,
  planContent,
  promptContents,
  protocolContents,
} from '../../work/trust/gather.ts';
import { checkContents } from '../../work/trust/project-checks.ts';
import type { RepositoryContent } from '../../work/trust/repository-content.ts';
import type { CommandContext } from '../command-context.ts';
import { tell } from '../output.ts';
import { surroundingsHere } from '../plan/plan-context.ts';

type NamedPlan = Pick<PlanContext, 'name' | 'written'>;

/** Everything in this repository that needs trust, except its configuration: with the named plan, else all unfinished ones. */
export async function gatherHere(
  context: CommandContext,
  plan: string | undefined,
  all = false,
): Promise<RepositoryContent[]> {
  const around = await surroundingsHere(context);
  const { root } = context.settings.project.value;
  const top = around.git?.top ?? root;
  const plans =
    plan === undefined
      ? plansHere(around).filter(({ written }) => all || written.phases.some(isOpen))
      : [await openPlanContext(around, plan)];
  return unique([
    ...protocolContents(around.cwd),
    ...promptContents(root),
    ...allTemplates(root),
    ...promptContents(around.cwd, ['coder']),
    ...agentFilesFor(top, around.cwd),
    ...(plan === undefined && !context.settings.config.checks ? checkContents(top) : []),
    ...plans.map(({ name, written }) => planContent(name, written)),
  ]);
}

const isOpen = ({ status }: Phase) => status !== 'completed';

/** In a subfolder the same file may be found twice; the nearer one counts. */
const unique = (contents: RepositoryContent[]) => [
  ...new Map(contents.map((each) => [each.name, each])).values(),
];

function plansHere({ checkouts }: Surroundings): NamedPlan[] {
  const folder = join(checkouts.feature, 'plans');
  return plansIn(folder).flatMap((name) => {
    try {
      return [{ name, written: readUsablePlan(join(folder, name)) }];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      tell(`Skipped plans/${name}: ${error.message}`);
      return [];
    }
  });
}
