import * as z from 'zod';
import { decisionCursor } from '../../ledger/decision-log.ts';
import { Decision } from '../../schema/decision.ts';
import { type Route, route } from '../route.ts';
import { pageOf } from './page-of.ts';
import { after, limit } from './query.ts';

export const decisionRoutes: Route[] = [
  route({
    method: 'get',
    path: '/projects/:project/decisions',
    summary: 'What people decided so far, newest first.',
    who: 'person',
    query: z.strictObject({ after, limit }),
    data: z.array(Decision),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      return pageOf(query, (most, from) => ledger.decisions.list(id, most, from), decisionCursor);
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
