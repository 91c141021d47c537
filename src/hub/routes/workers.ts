import * as z from 'zod';
import { Worker } from '../../schema/work.ts';
import { type Route, route } from '../route.ts';

export const workerRoutes: Route[] = [
  route({
    operationId: 'listWorkers',
    method: 'get',
    path: '/workers',
    summary: 'Lists the running workers, with what each can do.',
    who: 'person',
    data: z.array(Worker),
    handle: async ({ ledger }) => ({ data: await ledger.workers.list() }),
  }),
];
