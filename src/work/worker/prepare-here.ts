import { findRepository } from '../../config/repository.ts';
import { currentBranch } from '../../git/refs.ts';
import { FermataError } from '../../schema/error.ts';
import type { StartInput, Work } from '../../schema/work.ts';
import { agentOptions, chooseAgent, requireAgent } from '../agent/choose-agent.ts';
import { reviewerHere } from '../agent/reviewer.ts';
import type { Context } from '../context.ts';
import { beginConvert } from '../kinds/convert.ts';
import { beginDraft } from '../kinds/draft/draft.ts';
import { folderInside, newFolderInside } from '../kinds/folder-inside.ts';
import { queuePlan } from '../kinds/phase/queue-plan.ts';
import { beginPlanFromIssues } from '../kinds/plan-from-issues/plan-from-issues.ts';
import { readIssues } from '../kinds/plan-from-issues/read-issues.ts';
import { beginReview } from '../kinds/review.ts';
import { queueTask } from '../kinds/task/queue-task.ts';
import { notAlone } from './place-order.ts';
import { queueWork } from './queue-work.ts';

/** The work to do; without an id, it is not a task yet. */
export interface Wanted {
  work: Work;
  id?: string | undefined;
}

/**
 * Checks everything that could prevent the worker on this machine from doing it in the project's folder. The result leaves
 * the task to that worker. `here`: the ability that only that worker has.
 */
export async function prepareHere(
  context: Context,
  { work, id = '' }: Wanted,
  { agent, model, into }: StartInput,
  here: string,
): Promise<(taskId: string) => Promise<void>> {
  const { cwd, ledger, who } = context;
  const { id: projectId } = await context.project();
  const options = { here, ...(agent ? { agent } : {}), ...(model ? { model } : {}) };
  let wishes = agentOptions({ agent: 'claude', ...options });
  switch (work.kind) {
    case 'phase':
      throw new FermataError('invalid', `${id} is a phase of a plan. Start the plan.`);
    case 'task':
      await queueTask(context, id, { ...options, ...(into ? { into } : {}) });
      return async () => undefined;
    case 'run':
      await queuePlan(context, folderInside(cwd, work.input.plan), options);
      return async (taskId) => {
        await ledger.tasks.end(projectId, taskId, who);
      };
    case 'draft': {
      const { plan, idea, adaptive } = work.input;
      const output = newFolderInside(cwd, plan);
      await beginDraft(context, { idea }, { ...options, adaptive, output });
      break;
    }
    case 'convert': {
      const { plan, text, ...input } = work.input;
      const output = newFolderInside(cwd, plan);
      await beginConvert(context, { name: 'the text', text }, { ...options, ...input, output });
      break;
    }
    case 'plan_from_issues': {
      const { plan, fromDir, ...input } = work.input;
      const folder = fromDir === undefined ? {} : { fromDir: folderInside(cwd, fromDir) };
      const issues = await readIssues(context, { ...input, ...folder });
      const output = newFolderInside(cwd, plan);
      await beginPlanFromIssues(context, issues, { ...options, ...input, output });
      break;
    }
    case 'review': {
      const { plan, reviews } = work.input;
      const phase = reviews.slice(reviews.indexOf('/') + 1);
      await beginReview(context, phase, undefined, { ...options, plan: folderInside(cwd, plan) });
      const reviewed = { ledger, projectId, taskId: reviews, cwd };
      wishes = agentOptions(await reviewerHere(context, reviewed, options));
      break;
    }
    case 'feedback':
    case 'prd':
    case 'decompose': {
      if (id !== '' && (await ledger.tasks.work(projectId, id, work.kind)).result !== null)
        throw new FermataError('conflict', `${id} is already done.`);
      wishes = agentOptions({ ...wishes, ...work.input.agent });
      const { driver, setup } = await chooseAgent(context, wishes, { cwd, mustAsk: false });
      await requireAgent(driver, setup);
      break;
    }
    case 'analyze':
      throw notAlone(id);
    default: {
      const never: never = work;
      throw never;
    }
  }
  const top = findRepository(cwd)?.top;
  const featureBranch = top === undefined ? undefined : await currentBranch(top);
  return async (taskId) => {
    await queueWork(
      context,
      taskId,
      { ...wishes, here },
      { featureBranch: featureBranch ?? '', remote: null },
    );
  };
}
