import * as z from 'zod';
import { Event } from '../../schema/event.ts';
import { eventView } from '../event-view.ts';
import { type Route, route } from '../route.ts';
import { pageOf } from './page-of.ts';
import { count, limit } from './query.ts';

export const eventRoutes: Route[] = [
  route({
    operationId: 'listEvents',
    method: 'get',
    path: '/projects/:project/events',
    summary: "Lists a project's history after an event, in order and without gaps.",
    who: 'person',
    query: z.strictObject({
      after: count(Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('The number of the last event that you have seen.'),
      limit,
    }),
    data: z.array(Event),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      const { data, ...more } = await pageOf(
        { limit: 500, ...query },
        (most, from) => ledger.events.list(id, from, most),
        ({ number }) => number,
      );
      return { data: data.map(eventView), ...more };
    },
  }),
];
