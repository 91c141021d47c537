import * as z from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import { FermataError } from '../../schema/error.ts';
import { PlanSummary, PlanView } from '../../schema/plan-view.ts';
import { type Route, route } from '../route.ts';

/** Loaded on demand, because the rest of the hub needs no plan parser. */
const planFolders = () => import('../plan-folders.ts');

export const planRoutes: Route[] = [
  route({
    operationId: 'listPlans',
    method: 'get',
    path: '/projects/:project/plans',
    summary: "Lists the plans in the project's folder.",
    who: 'anybody',
    data: z.array(PlanSummary),
    async handle({ ledger, params }) {
      const { root } = await ledger.projects.get(params.project ?? '');
      return { data: root === null ? [] : (await planFolders()).listPlans(root) };
    },
  }),
  route({
    operationId: 'getPlan',
    method: 'get',
    path: '/projects/:project/plans/:plan',
    summary: 'Reads one plan with its phases, audit findings and files.',
    who: 'anybody',
    data: PlanView,
    async handle({ ledger, params }) {
      const root = await folderOf(ledger, params.project ?? '');
      return { data: (await planFolders()).showPlan(root, params.plan ?? '') };
    },
  }),
];

async function folderOf(ledger: Ledger, projectId: string): Promise<string> {
  const { root } = await ledger.projects.get(projectId);
  if (root !== null) return root;
  throw new FermataError('not_found', "This project has no folder on the hub's machine.");
}
