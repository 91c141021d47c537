import * as z from 'zod';
import { Event } from '../../schema/event.ts';
import { eventView } from '../event-view.ts';
import { type Route, route } from '../route.ts';
import { afterEvent, eventLimit, pageOf } from './page-of.ts';

export const eventRoutes: Route[] = [
  route({
    operationId: 'listEvents',
    method: 'get',
    path: '/projects/:project/events',
    summary: "Lists a project's history after an event, in order and without gaps.",
    who: 'person',
    query: z.strictObject({ after: afterEvent, limit: eventLimit }),
    data: z.array(Event),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      const { data, ...more } = await pageOf(
        query,
        (most, from) => ledger.events.list(id, from, most),
        ({ number }) => number,
      );
      return { data: data.map(eventView), ...more };
    },
  }),
];
