import * as z from 'zod';
import { Decision } from '../../schema/decision.ts';
import { type Route, route } from '../route.ts';

export const decisionRoutes: Route[] = [
  route({
    method: 'get',
    path: '/projects/:project/decisions',
    summary: 'What people decided so far, oldest first.',
    who: 'person',
    data: z.array(Decision),
    async handle({ ledger, params }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      return { data: await ledger.decisions.list(id) };
    },
  }),
  route({
    method: 'delete',
    path: '/projects/:project/decisions/:decision/standing',
    summary: 'The decision no longer answers the same question by itself; it stays on record.',
    who: 'person',
    data: z.null(),
    async handle({ ledger, params, by }) {
      await ledger.decisions.revoke(params.project ?? '', params.decision ?? '', by);
      return { data: null };
    },
  }),
];
