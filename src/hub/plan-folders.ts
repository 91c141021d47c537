import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { auditPlan } from '../planning/audit/audit-plan.ts';
import { gatherSurroundings } from '../planning/audit/gather-surroundings.ts';
import type { Plan } from '../planning/plan/plan.ts';
import { planJson } from '../planning/plan/plan-json.ts';
import { readPlan } from '../planning/plan/read-plan.ts';
import { FermataError } from '../schema/error.ts';
import type { PlanSummary, PlanView } from '../schema/plan-view.ts';

const MOST_PLANS = 200;

/** The plans of a project: the folders below `plans/` that have a master. */
export function listPlans(root: string): PlanSummary[] {
  return planNames(root).flatMap((name) => {
    const plan = openPlan(root, name);
    if (!plan) return [];
    const completed = plan.phases.filter(({ status }) => status === 'completed').length;
    return [{ name, title: plan.title, phases: plan.phases.length, completed }];
  });
}

export function showPlan(root: string, name: string): PlanView {
  const plan = openPlan(root, name);
  if (!plan) throw new FermataError('not_found', `There is no plan "${name.slice(0, 200)}" in this project.`);
  const audit = auditPlan(plan, gatherSurroundings(join(root, 'plans', name), plan));
  const files = [...plan.files].flatMap(([path, file]) =>
    'text' in file ? [[path, file.text] as const] : [],
  );
  return { name, ...planJson(plan), audit, files: Object.fromEntries(files) };
}

/** Only what the folder lists: a name that came from outside never becomes a path by itself. */
function openPlan(root: string, name: string): Plan | undefined {
  if (!planNames(root).includes(name)) return undefined;
  const { plan } = readPlan(join(root, 'plans', name));
  return plan.problems.some(({ code }) => code === 'MASTER_NOT_FOUND') ? undefined : plan;
}

/** Folders, no links: a link in a cloned repository could lead anywhere. */
function planNames(root: string): string[] {
  const folder = join(root, 'plans');
  try {
    if (realpathSync(folder) !== join(realpathSync(root), 'plans')) return [];
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
      .slice(0, MOST_PLANS);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
