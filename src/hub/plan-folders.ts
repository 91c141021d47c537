import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { auditPlan } from '../plan/audit/audit-plan.ts';
import { gatherSurroundings } from '../plan/audit/gather-surroundings.ts';
import { planJson } from '../plan/grammar/plan-json.ts';
import { readPlan } from '../plan/grammar/read-plan.ts';
import { plansIn, requirePlanName } from '../plan/plan-folder.ts';
import { FermataError } from '../schema/error.ts';
import type { PlanFiles, PlanSummary } from '../schema/plan-view.ts';

const MAX_PLANS = 200;

/** The plans of a project: the folders below `plans/` that have a master. */
export function listPlans(root: string): PlanSummary[] {
  return planNames(root).map((name) => {
    const { title, phases } = readPlan(join(root, 'plans', name)).plan;
    const completed = phases.filter(({ status }) => status === 'completed').length;
    return { name, title, phases: phases.length, completed, from: 'folder' };
  });
}

/** Accepts only names that the folder lists, so that input never becomes a path. */
export function planFolder(root: string, name: string): string {
  if (planNames(root).includes(name)) return join(root, 'plans', name);
  throw new FermataError('not_found', `There is no plan "${name.slice(0, 200)}" in this project.`);
}

/** The folder for a plan that may not exist yet, below `plans/` and not through a link. */
export function newPlanFolder(root: string, name: string): string {
  const plans = join(root, 'plans');
  requirePlanName(name);
  for (const path of [plans, join(plans, name)])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new FermataError('invalid', `${path} is a link, so the hub does not write there.`);
  return join(plans, name);
}

export function showPlan(root: string, name: string): PlanFiles {
  const { plan, folder } = readPlan(planFolder(root, name));
  const audit = auditPlan(plan, gatherSurroundings(folder, plan));
  const files = [...plan.files].flatMap(([path, file]) =>
    'text' in file ? [[path, file.text] as const] : [],
  );
  return { name, ...planJson(plan), audit, files: Object.fromEntries(files) };
}

/** Folders only, because a link in a cloned repository could lead anywhere. */
function planNames(root: string): string[] {
  const folder = join(root, 'plans');
  const names = plansIn(folder).filter((name) => !isLink(folder) && !isLink(join(folder, name)));
  return names.slice(0, MAX_PLANS);
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? true;
