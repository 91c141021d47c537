import type * as z from 'zod';
import { PlanRunView } from '../../schema/plan-run.ts';
import { type Call, type Route, route } from '../route.ts';
import type { Begin, WorkPlace } from '../work.ts';

/** A kind of work that the hub's agents do. */
interface Work<Body extends z.ZodType> {
  path: string;
  /** The names in generated clients for starting, showing and stopping it. */
  ids: [string, string, string];
  starts: string;
  /** Completes "Returns whether this hub is working on the …". */
  what: string;
  body: Body;
  data?: z.ZodType;
  begin(params: Record<string, string>, body: z.infer<Body>): Begin;
  /** Further fields to show. */
  shown?(call: Pick<Call<unknown, unknown>, 'ledger' | 'params'>): Promise<object>;
}

/** The three routes of one kind of work: start it, show it, stop it. */
export function workRoutes<Body extends z.ZodType>(work: Work<Body>): Route[] {
  const { path, ids, what, data = PlanRunView, shown = async () => ({}) } = work;
  const common = { path, who: 'person', data } as const;
  return [
    route({
      ...common,
      operationId: ids[0],
      method: 'post',
      summary: work.starts,
      body: work.body,
      async handle(call) {
        const { work: at, by, params, body } = call;
        const view = await at.start(placeOf(path, params), by, work.begin(params, body));
        return { status: 201, data: { ...view, ...(await shown(call)) } };
      },
    }),
    route({
      ...common,
      operationId: ids[1],
      method: 'get',
      summary: `Returns whether this hub is working on the ${what}, and how the last one ended.`,
      async handle(call) {
        return { data: { ...call.work.view(placeOf(path, call.params)), ...(await shown(call)) } };
      },
    }),
    route({
      ...common,
      operationId: ids[2],
      method: 'delete',
      summary: `Stops this hub's ${what}: agents save their sessions, and the next start resumes them.`,
      async handle(call) {
        return { data: { ...(await call.work.end(placeOf(path, call.params))), ...(await shown(call)) } };
      },
    }),
  ];
}

function placeOf(path: string, params: Record<string, string>): WorkPlace {
  const { project = '', plan, task, feedback, phase = '' } = params;
  return { projectId: project, plan: plan ?? task ?? feedback ?? '', path: `${path} ${phase}` };
}
