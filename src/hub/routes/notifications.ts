import * as z from 'zod';
import { writeCursor } from '../../ledger/engine/stored.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { amendmentEffect } from '../../ledger/notifications/amendment-effect.ts';
import { askerKinds } from '../../schema/asker.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import {
  AmendInput,
  CreateInput,
  Notification,
  Reason,
  ResolveInput,
  Status,
} from '../../schema/notification.ts';
import { actorOf, type Caller } from '../auth/caller.ts';
import { inProject, type Route, type RouteResult, route } from '../route.ts';
import { bindToClaim } from './bind-to-claim.ts';
import { after, limit, pageInSteps, pageOf } from './page-of.ts';

const status = z
  .string()
  .transform((text) => (text === 'all' ? Status.options : text.split(',')))
  .pipe(z.array(Status))
  .optional()
  .describe('Some of the statuses, separated by commas, or "all". Default: open.');

const Query = z.strictObject({
  status,
  text: z
    .string()
    .trim()
    .max(limits.filterText)
    .transform((text) => text || undefined)
    .optional()
    .describe(
      'Only notifications that contain all of these words: in the questions, their options, the asker or the project\'s name. A page may then have few entries or none, and still have a "next".',
    ),
  kind: z.enum(askerKinds).optional().describe('Only notifications from this kind of asker.'),
  after,
  limit,
});

const CountQuery = z.strictObject({ status });
const Count = z.object({ count: z.number().int() });

const Effect = z.object({ kind: z.string(), message: z.string() });

/** A new notification, with what the asker sent that is not a question. */
export const AddedNotification = Notification.extend({ dropped: z.array(z.unknown()).optional() });

const NewNotification = CreateInput.omit({ questions: true }).extend({
  projectId: CreateInput.shape.projectId.optional().describe('Optional; must be the project in the path.'),
  questions: CreateInput.shape.questions.optional(),
  open_questions: CreateInput.shape.questions.optional(),
  openQuestions: CreateInput.shape.questions.optional(),
});

export const notificationRoutes: Route[] = [
  ...everywhere({
    operationIds: ['listAllNotifications', 'listNotifications'],
    path: '/notifications',
    summary: (where) => `Lists what is waiting for a person in ${where}, oldest first.`,
    query: Query,
    data: z.array(Notification),
    paged: true,
    read: ({ notifications }, query, projectId) =>
      pageInSteps(query, async (most, from) => {
        const page = await notifications.list({ ...query, projectId, limit: most, after: from });
        return { rows: page.notifications, next: page.next };
      }),
  }),
  route({
    operationId: 'listRecorded',
    method: 'get',
    path: '/projects/:project/recorded',
    summary: 'Lists the notices (what agents decided without a person or reported), newest first.',
    who: 'person',
    query: z.strictObject({ after, limit }),
    data: z.array(Notification),
    paged: true,
    async handle({ ledger, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      return pageOf(
        query,
        (most, from) => ledger.notifications.recorded(most, from, id),
        (last) => writeCursor(last.createdAt, last.id),
      );
    },
  }),
  ...everywhere({
    operationIds: ['countAllNotifications', 'countNotifications'],
    path: '/notifications/count',
    summary: (where) => `Counts what is waiting for a person in ${where}.`,
    query: CountQuery,
    data: Count,
    read: async ({ notifications }, query, projectId) => ({
      data: { count: await notifications.count(query.status ?? ['open'], projectId) },
    }),
  }),
  route({
    operationId: 'ask',
    method: 'post',
    path: '/projects/:project/notifications',
    summary: 'Asks questions.',
    description: 'If the same asker already has the same questions open, returns those with status 200.',
    who: 'anybody',
    sent: NewNotification,
    complete: (sent, params) => inProject(withQuestions(sent), params),
    body: CreateInput,
    statuses: [201, 200],
    data: AddedNotification,
    async handle({ ledger, caller, body, by }) {
      if (caller.role === 'agent') await bindToClaim(ledger, caller, body);
      const { notification, dropped, existing } = await ledger.notifications.create(body, by, (known) => {
        if (!isOwn(caller, known))
          throw new FermataError('conflict', 'Another asker has the same question open.');
      });
      const told = dropped.length > 0 ? { dropped: dropped.slice(0, limits.questions) } : {};
      return { ...(existing ? { status: 200 } : {}), data: { ...notification, ...told } };
    },
  }),
  route({
    operationId: 'getNotification',
    method: 'get',
    path: '/projects/:project/notifications/:notification',
    summary: 'Reads one notification with its questions and responses.',
    description: 'An agent sees only its own questions.',
    who: 'anybody',
    data: Notification,
    async handle({ ledger, caller, params }) {
      const found = await ledger.notifications.get(params.project ?? '', params.notification ?? '');
      requireOwn(caller, found);
      return { data: found };
    },
  }),
  route({
    operationId: 'answerNotification',
    method: 'patch',
    path: '/projects/:project/notifications/:notification',
    summary: 'Answers, skips or dismisses a notification.',
    description:
      "The first answer wins: sending the same answer again changes nothing, and a different one gets 409. Without a body, the answer is what people wrote to the task's chat since the question.",
    who: 'person',
    body: ResolveInput.optional(),
    data: Notification,
    async handle({ ledger, params, body, by }) {
      const { project = '', notification = '' } = params;
      const settled = body
        ? await ledger.notifications.resolve(project, notification, body, by)
        : await ledger.notifications.resolveFromChat(project, notification, by);
      return { data: settled.notification };
    },
  }),
  route({
    operationId: 'acceptProposal',
    method: 'post',
    path: '/projects/:project/notifications/:notification/accept',
    summary: 'Accepts the answer that an agent proposed, which takes effect if nobody answers in time.',
    description: 'The time limit starts now.',
    who: 'person',
    data: Notification,
    async handle({ ledger, params, by }) {
      const { project = '', notification = '' } = params;
      return { data: (await ledger.notifications.acceptProposal(project, notification, by)).notification };
    },
  }),
  route({
    operationId: 'amendAnswer',
    method: 'post',
    path: '/projects/:project/notifications/:notification/amend',
    summary: 'Replaces an earlier answer and says what happens next.',
    description: 'The old answer stays on record.',
    who: 'person',
    body: AmendInput,
    data: Notification.extend({ effect: Effect.optional() }),
    async handle({ ledger, params, body, by }) {
      const { project = '', notification: id = '' } = params;
      const { notification, repeat } = await ledger.notifications.amend(project, id, body, by);
      const effect = repeat ? {} : { effect: await amendmentEffect(ledger, notification) };
      return { data: { ...notification, ...effect } };
    },
  }),
  route({
    operationId: 'withdrawNotification',
    method: 'delete',
    path: '/projects/:project/notifications/:notification',
    summary: 'Withdraws a question: it stays on record, and nobody can answer it any more.',
    who: 'anybody',
    query: z.strictObject({ reason: Reason.optional().describe('Why, for the record.') }),
    data: Notification,
    async handle({ ledger, caller, params, query, by }) {
      const { project = '', notification = '' } = params;
      requireOwn(caller, await ledger.notifications.get(project, notification));
      const reason = query.reason ?? `Withdrawn by ${caller.name}.`;
      return { data: (await ledger.notifications.withdraw(project, notification, reason, by)).notification };
    },
  }),
];

/** An agent may send its questions under another name and leave `questions` empty. */
function withQuestions({ questions, open_questions, openQuestions, ...rest }: Record<string, unknown>) {
  const isGiven = (list: unknown) => list !== undefined && !(Array.isArray(list) && list.length === 0);
  return { ...rest, questions: [questions, open_questions, openQuestions].find(isGiven) ?? [] };
}

interface Everywhere<Query extends z.ZodObject> extends Pick<Route, 'path' | 'data' | 'paged'> {
  operationIds: [all: string, one: string];
  summary(where: string): string;
  query: Query;
  read(ledger: Ledger, query: z.infer<Query>, projectId: string | undefined): Promise<RouteResult>;
}

/** The same for all projects that the caller may see, and for one. */
function everywhere<Query extends z.ZodObject>(each: Everywhere<Query>): Route[] {
  const { operationIds, path, summary, read, ...rest } = each;
  const [all, one] = operationIds;
  return [
    route({
      ...{ ...rest, operationId: all, path, summary: summary('all projects') },
      ...{ method: 'get', who: 'person' },
      handle: ({ ledger, caller, query }) => read(ledger, query, caller.projectId ?? undefined),
    }),
    route({
      ...{ ...rest, operationId: one, path: `/projects/:project${path}`, summary: summary('a project') },
      ...{ method: 'get', who: 'person' },
      async handle({ ledger, params, query }) {
        const { id } = await ledger.projects.get(params.project ?? '');
        return read(ledger, query, id);
      },
    }),
  ];
}

/** An agent must not see what others asked or were answered. */
function requireOwn(caller: Caller, notification: Notification): void {
  if (isOwn(caller, notification)) return;
  throw new FermataError('not_found', `You have no question ${notification.id}.`);
}

/** An agent that we started may have the same name as a token, but it asks on another channel. */
function isOwn(caller: Caller, { createdBy }: Notification): boolean {
  const { actor, channel } = actorOf(caller);
  const { kind, name } = createdBy.actor;
  return (
    caller.role === 'human' || (kind === actor.kind && name === actor.name && createdBy.channel === channel)
  );
}
