import type * as z from 'zod';
import type { PlanKind } from '../../app/worker/task-names.ts';
import type { ReviewRecord } from '../../schema/phase-record.ts';
import {
  PhaseReviewInput,
  PhaseReviewView,
  PlanConversionInput,
  PlanDraftInput,
  PlanFromIssuesInput,
  PlanRunInput,
} from '../../schema/plan-run.ts';
import type { WorkOf } from '../../schema/work.ts';
import type { Route } from '../route.ts';
import { type Orderable, workRoutes } from './work-routes.ts';

type Draft = z.infer<typeof PlanDraftInput>;
type Conversion = z.infer<typeof PlanConversionInput>;
type Issues = z.infer<typeof PlanFromIssuesInput>;

/** What agents of the hub do for a plan. Each kind is started, shown and stopped at one address. */
export const planWorkRoutes: Route[] = [
  ...workRoutes({
    path: '/projects/:project/plans/:plan/run',
    ids: ['runPlan', 'getPlanRun', 'stopPlanRun'],
    starts: 'Runs or resumes a plan on the hub itself, after the same checks as "fermata run".',
    what: 'run of the plan',
    body: PlanRunInput,
    begin:
      ({ plan = '' }, options) =>
      async (context, signal) => {
        const { planFolder } = await import('../plan-folders.ts');
        const { beginRun } = await import('../../app/run-plan/run-plan.ts');
        return beginRun(context, planFolder(context.cwd, plan), { ...options, signal });
      },
    order: {
      scope: async ({ project: projectId = '', plan = '' }, ledger) =>
        (await queueing()).planScope({ ledger, projectId }, plan),
      place: async (at, { plan = '' }, _, input) => (await queueing()).queuePlanByLedger(at, plan, input),
    },
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/draft',
    ids: ['draftPlan', 'getPlanDraft', 'stopPlanDraft'],
    starts: 'Has an agent write the plan from an idea, or resumes that work, as "fermata draft" does.',
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
    order: orderFor('draft', (plan, { agent: _, model: __, workers: ___, ...input }: Draft) => ({
      plan,
      ...input,
    })),
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/conversion',
    ids: ['convertPlan', 'getPlanConversion', 'stopPlanConversion'],
    starts:
      'Has an agent turn a free-form plan into this one, or resumes that work, as "fermata convert" does.',
    what: 'conversion',
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
    order: orderFor('convert', (plan, { agent: _, model: __, workers: ___, ...input }: Conversion) => ({
      plan,
      ...input,
    })),
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/from-issues',
    ids: ['planFromIssues', 'getPlanFromIssues', 'stopPlanFromIssues'],
    starts:
      'Turns issues into the plan, or resumes that work, as "fermata plan-from-issues" does; it waits until its questions are answered.',
    what: 'planning of the issues',
    body: PlanFromIssuesInput,
    begin:
      ({ plan = '' }, { fromDir, ...options }) =>
      async (context, signal) => {
        const { newPlanFolder } = await import('../plan-folders.ts');
        const { folderInside } = await import('../../app/folder-inside.ts');
        const { readIssues } = await import('../../app/plan-from-issues/read-issues.ts');
        const { beginPlanFromIssues } = await import('../../app/plan-from-issues/plan-from-issues.ts');
        const output = newPlanFolder(context.cwd, plan);
        const folder = fromDir === undefined ? {} : { fromDir: folderInside(context.cwd, fromDir) };
        const issues = await readIssues(context, { ...options, ...folder }, signal);
        return beginPlanFromIssues(context, issues, { ...options, output, signal });
      },
    order: orderFor('plan_from_issues', (plan, { agent: _, model: __, workers: ___, ...input }: Issues) => ({
      plan,
      ...input,
    })),
  }),
  ...workRoutes({
    path: '/projects/:project/plans/:plan/phases/:phase/review',
    ids: ['reviewPhase', 'getPhaseReview', 'stopPhaseReview'],
    starts:
      'Has another agent review a phase (`2`, or `2-A`), or resumes that work, as "fermata review" does.',
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
    order: {
      async scope(params) {
        const { reviewName } = await import('../../app/worker/task-names.ts');
        return reviewName(await phaseTaskId(params)).scope;
      },
      place: async (at, params, _, input) =>
        (await queueing()).queueReviewByLedger(at, await phaseTaskId(params), input),
    },
    shown: async ({ ledger, params }) => {
      const { project = '', phase = '' } = params;
      const records = await ledger.phases.list(project, await phaseTaskId(params));
      const review: ReviewRecord | undefined = records.findLast((each) => each.kind === 'review')?.data;
      return { phase, review: review ?? null };
    },
  }),
];

async function phaseTaskId({ plan = '', phase = '' }: Record<string, string>): Promise<string> {
  const { tasksWithin } = await import('../../work/phases/phase-task.ts');
  return `${tasksWithin(plan)}${phase}`;
}

const queueing = () => import('../../app/worker/queue-by-ledger.ts');

/** Has workers write a plan into `plans/`. */
function orderFor<Kind extends PlanKind, Body>(
  kind: Kind,
  inputOf: (plan: string, body: Body) => WorkOf<Kind>['input'],
): Orderable<Body> {
  const named = async (plan: string) => (await import('../../app/worker/task-names.ts')).planName(kind, plan);
  return {
    scope: async ({ plan = '' }) => (await named(plan)).scope,
    async place(at, { plan = '' }, body, input) {
      const { queueAddedByLedger } = await queueing();
      const work = { kind, input: inputOf(`plans/${plan}`, body) } as WorkOf<PlanKind>;
      await queueAddedByLedger(at, await named(plan), work, input);
    },
  };
}
