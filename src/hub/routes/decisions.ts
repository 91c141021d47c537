import * as z from 'zod';
import { decisionCursor } from '../../ledger/decisions/decision-log.ts';
import { Decision } from '../../schema/decision.ts';
import { type Route, route } from '../route.ts';
import { after, limit, pageOf } from './page-of.ts';

export const decisionRoutes: Route[] = [
  route({
    operationId: 'listDecisions',
    method: 'get',
    path: '/projects/:project/decisions',
    summary: 'Lists what people decided, newest first.',
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
    operationId: 'revokeStandingDecision',
    method: 'delete',
    path: '/projects/:project/decisions/:decision/standing',
    summary: 'Stops a decision from answering the same question automatically.',
    description: 'It stays on record.',
    who: 'person',
    data: z.null(),
    async handle({ ledger, params, by }) {
      await ledger.decisions.revoke(params.project ?? '', params.decision ?? '', by);
      return { data: null };
    },
  }),
];
