import { existsSync } from 'node:fs';
import * as z from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import { PlanSummary, PlanView } from '../../schema/plan-view.ts';
import { type Route, route } from '../route.ts';

/** Loaded on demand, because the rest of the hub needs no plan parser. */
const planFolders = () => import('../plan-folders.ts');
const ledgerPlans = () => import('../ledger-plans.ts');

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
      if (root === undefined) return { data: await (await ledgerPlans()).listLedgerPlans(ledger, project) };
      return { data: (await planFolders()).listPlans(root) };
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
    async handle({ ledger, params }) {
      const { project = '', plan = '' } = params;
      const root = await folderOf(ledger, project);
      if (root === undefined)
        return { data: await (await ledgerPlans()).showLedgerPlan(ledger, project, plan) };
      return { data: (await planFolders()).showPlan(root, plan) };
    },
  }),
];

async function folderOf(ledger: Ledger, projectId: string): Promise<string | undefined> {
  const { root } = await ledger.projects.get(projectId);
  return root !== null && existsSync(root) ? root : undefined;
}
