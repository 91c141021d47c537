import * as z from 'zod';
import type { QueuePlace } from '../../app/worker/queue-by-ledger.ts';
import { FermataError } from '../../schema/error.ts';
import { QueueInput, WorkOrder } from '../../schema/work-order.ts';
import { type Route, route } from '../route.ts';

const queueing = () => import('../../app/worker/queue-by-ledger.ts');

/** Work that people queue for workers without the project's folder. */
export const queueRoutes: Route[] = [
  route({
    operationId: 'listWorkOrders',
    method: 'get',
    path: '/projects/:project/queue',
    summary: 'Lists what was queued for workers, newest first.',
    who: 'person',
    data: z.array(WorkOrder),
    handle: async ({ ledger, params }) => ({ data: await ledger.workOrders.list(params.project ?? '') }),
  }),
  ...queueRoute('plan', {
    place: async ({ plan = '' }, at, input) => (await queueing()).queuePlanByLedger(at, plan, input),
    scope: async ({ plan = '' }, at) => (await queueing()).planScope(at, plan),
  }),
  ...queueRoute('task', {
    async place({ task = '' }, at, input) {
      await (await queueing()).queueTaskByLedger(at, task, input);
      return task;
    },
    scope: async ({ task = '' }) => task,
  }),
];

interface Queued {
  /** Returns the order's name. */
  place(params: Record<string, string>, at: QueuePlace, input: QueueInput): Promise<string>;
  scope(params: Record<string, string>, at: Omit<QueuePlace, 'by'>): Promise<string>;
}

function queueRoute(kind: 'plan' | 'task', { place, scope }: Queued): Route[] {
  const path = `/projects/:project/${kind}s/:${kind}/queue`;
  const name = kind === 'plan' ? 'Plan' : 'Task';
  return [
    route({
      operationId: `queue${name}`,
      method: 'post',
      path,
      summary: `Queues the ${kind} for workers, even if the project has no folder on the hub's machine.`,
      who: 'person',
      body: QueueInput,
      statuses: [201],
      data: WorkOrder,
      async handle({ ledger, by, params, body }) {
        const { project: projectId = '' } = params;
        const name = await place(params, { ledger, by, projectId }, body);
        return { data: await ledger.workOrders.find(projectId, name) };
      },
    }),
    route({
      operationId: `unqueue${name}`,
      method: 'delete',
      path,
      summary: `Withdraws the ${kind} from workers: they stop if they have started it.`,
      who: 'person',
      data: z.null(),
      async handle({ ledger, by, params }) {
        const { project: projectId = '' } = params;
        const name = await scope(params, { ledger, projectId });
        if (!(await ledger.workOrders.withdraw(projectId, name, by)))
          throw new FermataError('not_found', `This ${kind} is not queued for workers.`);
        return { data: null };
      },
    }),
  ];
}
