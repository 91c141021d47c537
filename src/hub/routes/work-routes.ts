import type * as z from 'zod';
import type { QueuePlace } from '../../app/worker/queue-by-ledger.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { PlanRunView } from '../../schema/plan-run.ts';
import type { QueueInput } from '../../schema/work.ts';
import type { WorkersInput } from '../../schema/workers-input.ts';
import { type Call, type Route, route } from '../route.ts';
import type { Begin, WorkPlace } from '../work.ts';

type Startable = Pick<QueueInput, 'agent' | 'model'> & { workers?: WorkersInput | undefined };

/** How to queue the same work for workers. */
export interface Orderable<Body> {
  /** The id of its task, or how the ids of its tasks begin. */
  scope(params: Record<string, string>, ledger: Ledger): Promise<string>;
  place(at: QueuePlace, params: Record<string, string>, body: Body, input: QueueInput): Promise<unknown>;
}

/** A kind of work that the hub's agents do. */
interface Work<Body extends z.ZodType<Startable>> {
  path: string;
  /** The names in generated clients for starting, showing and stopping it. */
  ids: [string, string, string];
  starts: string;
  /** Completes "Stops the …". */
  what: string;
  body: Body;
  data?: z.ZodType;
  begin(params: Record<string, string>, body: z.infer<Body>): Begin;
  /** Missing if only the hub does it. */
  order?: Orderable<z.infer<Body>>;
  /** Further fields to show. */
  shown?(call: Pick<Call<unknown, unknown>, 'ledger' | 'params'>): Promise<object>;
}

/** The three routes of one kind of work: start it, show it, stop it. */
export function workRoutes<Body extends z.ZodType<Startable>>(work: Work<Body>): Route[] {
  const { path, ids, what, data = PlanRunView, shown = async () => ({}) } = work;
  const common = { path, who: 'person', data } as const;
  type Called = Pick<Call<unknown, unknown>, 'ledger' | 'params' | 'work'>;
  /** Its task or tasks if workers do it: a person said so, or nobody else can. */
  const orderedAs = async ({ ledger, params, work: at }: Called, wished = false) => {
    const { project: projectId = '' } = params;
    if (!work.order || at.isAtWork(placeOf(path, params))) return undefined;
    const scope = await work.order.scope(params, ledger);
    const isTheirs = wished || !(await at.hasFolder(projectId));
    return isTheirs || (await ledger.queue.isUnderWay(projectId, scope)) ? scope : undefined;
  };
  const view = async (call: Called) => {
    const { ledger, params } = call;
    const at = placeOf(path, params);
    const scope = await orderedAs(call);
    if (scope === undefined) return call.work.view(at);
    const { queuedView } = await import('../queued-work.ts');
    return { plan: at.plan, ...(await queuedView(ledger, at.projectId, scope)) };
  };
  return [
    route({
      ...common,
      operationId: ids[0],
      method: 'post',
      summary: work.starts,
      body: work.body,
      statuses: [201],
      async handle(call) {
        const { work: at, ledger, by, params, body } = call;
        const { agent, model, workers } = body;
        if ((await orderedAs(call, workers !== undefined)) === undefined)
          await at.start(placeOf(path, params), by, work.begin(params, body));
        else {
          const input = { ...workers, ...(agent ? { agent } : {}), ...(model ? { model } : {}) };
          await work.order?.place({ ledger, by, projectId: params.project ?? '' }, params, body, input);
        }
        return { data: { ...(await view(call)), ...(await shown(call)) } };
      },
    }),
    route({
      ...common,
      operationId: ids[1],
      method: 'get',
      summary: `Returns whether the ${what} is under way, and how it last ended.`,
      async handle(call) {
        return { data: { ...(await view(call)), ...(await shown(call)) } };
      },
    }),
    route({
      ...common,
      operationId: ids[2],
      method: 'delete',
      summary: `Stops the ${what}: agents save their sessions, and the next start resumes them.`,
      async handle(call) {
        const { ledger, by, params } = call;
        const scope = await orderedAs(call);
        if (scope === undefined) await call.work.end(placeOf(path, params));
        else await ledger.queue.withdraw(params.project ?? '', scope, by);
        return { data: { ...(await view(call)), ...(await shown(call)) } };
      },
    }),
  ];
}

function placeOf(path: string, params: Record<string, string>): WorkPlace {
  const { project = '', plan, task, feedback, phase = '' } = params;
  return { projectId: project, plan: plan ?? task ?? feedback ?? '', path: `${path} ${phase}` };
}
