import { FeedbackWorkInput, FeedbackWorkView, TaskWorkInput, TaskWorkView } from '../../schema/task-work.ts';
import type { Route } from '../route.ts';
import { workRoutes } from './work-routes.ts';

const queueing = () => import('../../app/worker/queue-by-ledger.ts');

/** What agents of the hub do without a plan: tasks, and feedback that becomes tasks. */
export const taskWorkRoutes: Route[] = [
  ...workRoutes({
    path: '/projects/:project/tasks/:task/work',
    ids: ['workOnTask', 'getTaskWork', 'stopTaskWork'],
    starts: 'Has an agent work on a task without a plan, or resumes that work, as "fermata tasks work" does.',
    what: 'work on the task',
    body: TaskWorkInput,
    data: TaskWorkView,
    begin:
      ({ task = '' }, options) =>
      async (context, signal) => {
        const { beginTask } = await import('../../app/work-on-task/work-on-task.ts');
        return beginTask(context, task, { ...options, signal });
      },
    order: {
      scope: async ({ task = '' }) => task,
      place: async (at, { task = '' }, { into }, input) =>
        (await queueing()).queueTaskByLedger(at, task, { ...(into ? { branch: into } : {}), ...input }),
    },
    shown: async ({ params }) => ({ task: params.task ?? '' }),
  }),
  ...workRoutes({
    path: '/projects/:project/feedback/:feedback/work',
    ids: ['workOnFeedback', 'getFeedbackWork', 'stopFeedbackWork'],
    starts:
      'Has the Analyst turn feedback into tasks, or resumes that work; it waits while a person has to answer.',
    what: 'work on the feedback',
    body: FeedbackWorkInput,
    data: FeedbackWorkView,
    begin:
      ({ feedback = '' }, options) =>
      async (context, signal) => {
        const { beginFeedback } = await import('../../app/roles/begin-feedback.ts');
        return beginFeedback(context, feedback, { ...options, signal });
      },
    order: {
      scope: async ({ feedback = '' }) => feedback,
      async place(at, { feedback = '' }, _, input) {
        const { queueRoleByLedger } = await queueing();
        await queueRoleByLedger(at, 'feedback', feedback, input);
      },
    },
    shown: async ({ params }) => ({ feedback: params.feedback ?? '' }),
  }),
];
