import * as z from 'zod';
import { Insights } from '../../schema/insights.ts';
import { type Route, route } from '../route.ts';

const MONTH_MS = 30 * 86_400_000;

export const insightRoutes: Route[] = [
  route({
    operationId: 'getInsights',
    method: 'get',
    path: '/projects/:project/insights',
    summary: 'Says what questions cost, which were worth asking, and what to change.',
    who: 'person',
    query: z.strictObject({
      since: z.iso
        .datetime()
        .optional()
        .describe('Only questions asked after this time. Default: 30 days ago.'),
    }),
    data: Insights,
    async handle({ ledger, params, query: { since } }) {
      const { id: projectId } = await ledger.projects.get(params.project ?? '');
      const from = since === undefined ? Date.now() - MONTH_MS : Date.parse(since);
      return { data: await ledger.figures.insights({ since: from, projectId }) };
    },
  }),
];
