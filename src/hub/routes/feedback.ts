import * as z from 'zod';
import { writeCursor } from '../../ledger/engine/stored.ts';
import { limits } from '../../schema/limits.ts';
import { Notification } from '../../schema/notification.ts';
import { Feedback, FeedbackInput, toFeedback } from '../../schema/work.ts';
import { type Route, route } from '../route.ts';
import { after, limit, pageOf } from './page-of.ts';

/** What people say about the product. The Analyst turns it into tasks or questions: `fermata feedback add --resume ID`. */
export const feedbackRoutes: Route[] = [
  route({
    operationId: 'listFeedback',
    method: 'get',
    path: '/projects/:project/feedback',
    summary: 'Lists the feedback, newest first.',
    who: 'person',
    query: z.strictObject({ after, limit }),
    data: z.array(Feedback),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id: projectId } = await ledger.projects.get(params.project ?? '');
      return pageOf(
        query,
        async (most, from) => (await ledger.tasks.ofKind(projectId, 'feedback', most, from)).map(toFeedback),
        ({ createdAt, id }) => writeCursor(createdAt, id),
      );
    },
  }),
  route({
    operationId: 'addFeedback',
    method: 'post',
    path: '/projects/:project/feedback',
    summary: 'Stores feedback for the Analyst.',
    who: 'anybody',
    body: FeedbackInput,
    statuses: [201],
    data: Feedback,
    async handle({ ledger, params, body, by }) {
      const { roleTitle } = await import('../../work/worker/task-names.ts');
      const work = { kind: 'feedback' as const, input: body };
      const title = roleTitle('feedback', body.text);
      return {
        data: toFeedback(await ledger.tasks.submit({ projectId: params.project ?? '', title }, work, by)),
      };
    },
  }),
  route({
    operationId: 'getFeedback',
    method: 'get',
    path: '/projects/:project/feedback/:feedback',
    summary: 'Reads one piece of feedback, with the questions about it.',
    who: 'person',
    data: Feedback.extend({ questions: z.array(Notification) }),
    async handle({ ledger, params }) {
      const { project = '', feedback: id = '' } = params;
      const found = toFeedback(await ledger.tasks.work(project, id, 'feedback'));
      const questions = await ledger.notifications.asked(project, 'eval', id, limits.questions);
      return { data: { ...found, questions } };
    },
  }),
];
