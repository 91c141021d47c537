import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import { planJson } from '../../plan/grammar/plan-json.ts';
import { requirePlanName } from '../../plan/plan-folder.ts';
import { type PlanFiles, PlanSummary, PlanView } from '../../schema/plan-view.ts';
import { standings } from '../../work/phases/overview.ts';
import { planEntry } from '../../work/plans/approved-plan.ts';
import { asApproved } from '../../work/plans/as-approved.ts';
import { listPlans, showPlan } from '../plan-folders.ts';
import { type Route, route } from '../route.ts';

export const planRoutes: Route[] = [
  route({
    operationId: 'listPlans',
    method: 'get',
    path: '/projects/:project/plans',
    summary:
      "Lists the plans in the project's folder; without one on this machine, those that the ledger knows.",
    who: 'anybody',
    data: z.array(PlanSummary),
    async handle({ ledger, params }) {
      const { project = '' } = params;
      const root = await folderOf(ledger, project);
      if (root === undefined) return { data: await listLedgerPlans(ledger, project) };
      return { data: listPlans(root) };
    },
  }),
  route({
    operationId: 'getPlan',
    method: 'get',
    path: '/projects/:project/plans/:plan',
    summary:
      'Reads one plan with its phases, audit findings and files; without a folder on this machine, the phases that the ledger knows.',
    who: 'anybody',
    data: PlanView,
    async handle({ ledger, work, params }) {
      const { project = '', plan = '' } = params;
      const root = await folderOf(ledger, project);
      const view = root === undefined ? await showLedgerPlan(ledger, project, plan) : showPlan(root, plan);
      const { planProgress } = await import('../task-progress.ts');
      return { data: { ...view, work: await planProgress({ ledger, work, projectId: project }, plan) } };
    },
  }),
];

async function folderOf(ledger: Ledger, projectId: string): Promise<string | undefined> {
  const { root } = await ledger.projects.get(projectId);
  return root !== null && existsSync(root) ? root : undefined;
}

/** The plans of a project without a folder on this machine: those that people approved, or queued for workers. */
async function listLedgerPlans(ledger: Ledger, projectId: string): Promise<PlanSummary[]> {
  const prefix = planEntry('');
  const approved = (await ledger.trust.list(projectId)).map(({ name }) => name);
  const orders = (await ledger.queue.list(projectId)).map(({ work }) => work);
  const names = new Set([
    ...approved.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
    ...orders.flatMap((work) =>
      work.kind === 'phase' || work.kind === 'run' ? basename(work.input.plan) : [],
    ),
  ]);
  return Promise.all(
    [...names].sort().map(async (name) => {
      const phases = await phasesOf(ledger, projectId, name);
      const completed = phases.filter(({ status }) => status === 'completed').length;
      return { name, title: name, phases: phases.length, completed, from: 'ledger' as const };
    }),
  );
}

/** What the ledger knows of a plan; no phases if nobody has run it yet. */
async function showLedgerPlan(ledger: Ledger, projectId: string, name: string): Promise<PlanFiles> {
  requirePlanName(name);
  const phases = await phasesOf(ledger, projectId, name);
  return {
    name,
    ...planJson({ ...parsePlan([]), title: name, phases, problems: [] }),
    audit: null,
    files: {},
  };
}

/** The phases as a person approved them. A phase with variants has the status of the first that is not done. */
async function phasesOf(ledger: Ledger, projectId: string, name: string) {
  const approved = await ledger.trust.find(projectId, planEntry(name));
  if (!approved) return [];
  const plan = asApproved(parsePlan([]), approved.content);
  const all = await standings({ ledger, projectId, name, plan });
  return plan.phases.map((phase) => {
    const own = all.filter(({ at }) => at.phase === phase);
    const [left = own[0]] = own.filter(({ status }) => status !== 'completed');
    return { ...phase, status: left?.status ?? phase.status };
  });
}
