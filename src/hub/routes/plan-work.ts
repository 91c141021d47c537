import type * as z from 'zod';
import type { ReviewRecord } from '../../schema/phase-record.ts';
import {
  PhaseReviewInput,
  PhaseReviewView,
  PlanConversionInput,
  PlanDraftInput,
  PlanFromIssuesInput,
  PlanRunInput,
  PlanRunView,
} from '../../schema/plan-run.ts';
import { type Call, type Route, route } from '../route.ts';
import type { Begin, WorkPlace } from '../work.ts';

/** What agents of the hub do for a plan. Each kind is started, looked at and stopped at one address. */
export const planWorkRoutes: Route[] = [
  ...workRoutes({
    path: '/projects/:project/plans/:plan/run',
    ids: ['runPlan', 'getPlanRun', 'stopPlanRun'],
    starts: 'Runs a plan on the machine of the hub, or resumes it, after the same checks as "fermata run".',
    what: 'run of the plan',
    body: PlanRunInput,
    begin:
      ({ plan = '' }, options) =>
      async (context, signal) => {
        const { planFolder } = await import('../plan-folders.ts');
        const { beginRun } = await import('../../app/run-plan/run-plan.ts');
        return beginRun(context, planFolder(context.cwd, plan), { ...options, signal });
      },
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/draft',
    ids: ['draftPlan', 'getPlanDraft', 'stopPlanDraft'],
    starts: 'Has an agent write the plan from an idea, or resumes that, as "fermata draft" does.',
    what: 'draft of the plan',
    body: PlanDraftInput,
    begin:
      ({ plan = '' }, { idea, ...options }) =>
      async (context, signal) => {
        const { newPlanFolder } = await import('../plan-folders.ts');
        const { beginDraft } = await import('../../app/draft/draft.ts');
        const output = newPlanFolder(context.cwd, plan);
        return beginDraft(context, { idea }, { ...options, output, signal });
      },
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/conversion',
    ids: ['convertPlan', 'getPlanConversion', 'stopPlanConversion'],
    starts: 'Has an agent turn a free-form plan into this one, or resumes that, as "fermata convert" does.',
    what: 'conversion to the plan',
    body: PlanConversionInput,
    begin:
      ({ plan = '' }, { text, ...options }) =>
      async (context, signal) => {
        const { newPlanFolder } = await import('../plan-folders.ts');
        const { beginConvert } = await import('../../app/convert.ts');
        const source = { name: 'the text', text, planName: plan };
        return beginConvert(context, source, {
          ...options,
          output: newPlanFolder(context.cwd, plan),
          signal,
        });
      },
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/from-issues',
    ids: ['planFromIssues', 'getPlanFromIssues', 'stopPlanFromIssues'],
    starts:
      'Turns issues into the plan, or resumes that, as "fermata plan-from-issues" does. It waits until its questions are answered.',
    what: 'planning of the issues',
    body: PlanFromIssuesInput,
    begin:
      ({ plan = '' }, { fromDir, ...options }) =>
      async (context, signal) => {
        const { folderInside, newPlanFolder } = await import('../plan-folders.ts');
        const { readIssues } = await import('../../app/plan-from-issues/read-issues.ts');
        const { beginPlanFromIssues } = await import('../../app/plan-from-issues/plan-from-issues.ts');
        const output = newPlanFolder(context.cwd, plan);
        const folder = fromDir === undefined ? {} : { fromDir: folderInside(context.cwd, fromDir) };
        const issues = await readIssues(context, { ...options, ...folder }, signal);
        return beginPlanFromIssues(context, issues, { ...options, output, signal });
      },
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/phases/:phase/review',
    ids: ['reviewPhase', 'getPhaseReview', 'stopPhaseReview'],
    starts: 'Has another agent review a phase (`2`, or `2-A`), or resumes that, as "fermata review" does.',
    what: 'review of the phase',
    body: PhaseReviewInput,
    data: PhaseReviewView,
    begin:
      ({ plan = '', phase = '' }, options) =>
      async (context, signal) => {
        const { planFolder } = await import('../plan-folders.ts');
        const { beginReview } = await import('../../app/review.ts');
        const folder = planFolder(context.cwd, plan);
        const { carryOut } = await beginReview(context, phase, undefined, {
          ...options,
          plan: folder,
          signal,
        });
        return { carryOut: () => carryOut().then(() => ({ result: 'done' as const })) };
      },
    shown: async ({ ledger, params }) => {
      const { tasksWithin } = await import('../../work/phases/phase-task.ts');
      const { project = '', plan = '', phase = '' } = params;
      const records = await ledger.phases.list(project, `${tasksWithin(plan)}${phase}`);
      const review: ReviewRecord | undefined = records.findLast((each) => each.kind === 'review')?.data;
      return { phase, review: review ?? null };
    },
  }),
];

interface Work<Body extends z.ZodType> {
  path: string;
  /** What generated clients call starting it, looking at it and stopping it. */
  ids: [string, string, string];
  starts: string;
  /** Completes "Whether this hub is at work on the …". */
  what: string;
  body: Body;
  data?: z.ZodType;
  begin(params: Record<string, string>, body: z.infer<Body>): Begin;
  /** What is shown besides. */
  shown?(call: Pick<Call<unknown, unknown>, 'ledger' | 'params'>): Promise<object>;
}

function workRoutes<Body extends z.ZodType>(work: Work<Body>): Route[] {
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
      summary: `Whether this hub is at work on the ${what}, and how that last ended.`,
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

function placeOf(path: string, { project = '', plan = '', phase = '' }: Record<string, string>): WorkPlace {
  return { projectId: project, plan, path: `${path} ${phase}` };
}
