import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../config/near.ts';
import { branchIn } from '../../config/repository.ts';
import { asOnDisk } from '../../files/real-path.ts';
import { currentBranch } from '../../git/refs.ts';
import { listCheckouts } from '../../git/worktree-list.ts';
import { hasMaster, plansIn, slug } from '../../plan/plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import { findHere, type Here } from '../worktrees/here.ts';
import { worktreeStem } from '../worktrees/worktree-branch.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';
import { tasksWithin } from './phase-task.ts';
import type { Checkouts, Surroundings } from './plan-context.ts';

interface FoundPlan {
  folder: string;
  name: string;
}

const nowhere: Here = { record: undefined, featureBranch: undefined, isFeature: false };

/** Finds out once which feature is worked on here, and where it is checked out. */
export async function locateFeature(
  git: WorktreeContext | undefined,
  root: string,
): Promise<{ here: Here; checkouts: Checkouts }> {
  if (!git) return { here: nowhere, checkouts: { feature: root, branch: undefined } };
  const here = await findHere(git);
  const branch = await currentBranch(git.top);
  return { here, checkouts: { feature: await featureCheckout(git, here), branch } };
}

/** Reads files if that is enough, because starting git costs more than everything else. */
async function featureCheckout(git: WorktreeContext, { featureBranch, isFeature }: Here): Promise<string> {
  if (isFeature) return git.top;
  const main = dirname(git.commonDir);
  const isMain = basename(git.commonDir) === '.git';
  if (isMain && featureBranch !== undefined && branchIn(git.commonDir) === featureBranch) return main;
  const all = (await listCheckouts(git.commonDir)).filter(({ bare }) => !bare);
  const own = all.find((each) => featureBranch !== undefined && each.branch === featureBranch);
  return own?.path ?? all[0]?.path ?? git.top;
}

/**
 * The plan that a command is about: the named one; the one on record for this worktree or feature; the one in this
 * folder; the only one; the one named like the feature; the only one in progress.
 */
export async function findPlanFolder(around: Surroundings, wanted: string | undefined): Promise<FoundPlan> {
  if (wanted !== undefined) return found(wantedFolder(around, wanted));
  const top = around.checkouts.feature;
  const recorded = await onRecord(around);
  if (recorded.length === 1) return found(resolve(top, recorded[0] ?? ''));
  if (recorded.length > 1) return onlyUnderWay(around, recorded);
  if (hasMaster(around.cwd)) return found(around.cwd);
  const there = plansUnder(top);
  if (there.length === 1) return found(join(top, there[0] ?? ''));
  if (there.length === 0) throw none(top);
  const feature = around.here.featureBranch ?? '';
  const alike = there.filter((folder) =>
    [slug(feature), slug(feature.split('/').at(-1) ?? '')].includes(basename(folder)),
  );
  if (alike.length === 1) return found(join(top, alike[0] ?? ''));
  return onlyUnderWay(around, there);
}

/** The only plan that was begun and is not done. */
async function onlyUnderWay(around: Surroundings, plans: string[]): Promise<FoundPlan> {
  const { ledger, projectId, checkouts } = around;
  const begun: FoundPlan[] = [];
  for (const each of plans) {
    const plan = found(resolve(checkouts.feature, each));
    const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, tasksWithin(plan.name));
    if (open + in_progress + blocked > 0) begun.push(plan);
  }
  const [only, ...more] = begun;
  if (!only || more.length > 0) throw several(around, plans);
  return only;
}

async function onRecord({ ledger, projectId, here, checkouts }: Surroundings): Promise<string[]> {
  if (here.record?.plan) return [here.record.plan];
  const started = checkouts.branch ? await ledger.phases.startedOn(projectId, checkouts.branch) : undefined;
  if (started?.data.plan !== undefined) return [started.data.plan];
  const named = plansNamedBy(here, checkouts.feature);
  if (named.length > 0) return named;
  if (here.featureBranch === undefined) return [];
  const records = (await ledger.worktrees.list(projectId)).filter(
    ({ featureBranch, state }) => featureBranch === here.featureBranch && state !== 'archived',
  );
  return [...new Set(records.flatMap(({ plan }) => plan ?? []))];
}

/** The plans that the name of a branch made by hand fits. */
function plansNamedBy({ featureBranch, stem }: Here, top: string): string[] {
  if (featureBranch === undefined || stem === undefined) return [];
  return plansUnder(top).filter(
    (folder) => worktreeStem(featureBranch, found(join(top, folder)).name) === stem,
  );
}

function plansUnder(top: string): string[] {
  const here = hasMaster(top) ? ['.'] : [];
  return [...here, ...plansIn(join(top, 'plans')).map((name) => join('plans', name))];
}

/** The named folder, which has to contain a plan. */
function wantedFolder({ cwd, checkouts }: Surroundings, wanted: string): string {
  const folder = named(resolve(cwd, wanted));
  if (hasMaster(folder)) return asOnDisk(folder);
  const there = plansUnder(checkouts.feature);
  const meant = didYouMean(wanted.replace(/\/+$/, ''), there);
  throw new Refusal('not_found', `MASTER_PLAN.md not found in ${wanted}.${meant}`, {
    suggestion: there.length > 0 ? `Plans found: ${there.join(', ')}.` : makeOne(),
    data: { plans: there },
    code: 'invalid',
  });
}

const makeOne = () =>
  `Create one ("${cmd`plan init NAME`}"), or pass the folder of a plan (--plan DIR, or "${cmd`run DIR`}").`;

/** The path of a master file means its folder. */
function named(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? join(path, '..') : path;
}

const found = (folder: string): FoundPlan => ({ folder, name: basename(folder) || 'plan' });

function none(top: string): Refusal {
  return new Refusal('no_plan', `No plan found in ${join(top, 'plans')}.`, {
    suggestion: makeOne(),
    code: 'not_found',
  });
}

function several({ here }: Surroundings, plans: string[]): Refusal {
  const feature = here.featureBranch ? ` for ${here.featureBranch}` : '';
  return new Refusal('several_plans', `Several plans found${feature}: ${plans.join(', ')}.`, {
    suggestion: `Specify one, for example with --plan ${plans[0]} ("${cmd`run`}" takes it as an argument).`,
    data: { plans },
    code: 'invalid',
  });
}
