import * as z from 'zod';
import { workerWait } from '../../ledger/tasks/abilities.ts';
import { applyCoderResult } from '../../ledger/tasks/coder-result.ts';
import type { By } from '../../schema/actor.ts';
import { CoderResult } from '../../schema/coder-result.ts';
import { limits } from '../../schema/limits.ts';
import { Notification } from '../../schema/notification.ts';
import { ChatMessage, Claim, type Task, TaskInput, TaskKind, TaskStatus } from '../../schema/task.ts';
import { NewWork } from '../../schema/work.ts';
import { closeTask } from '../../work/phases/close-task.ts';
import { requirePerson } from '../auth/caller.ts';
import { inProject, type Route, route } from '../route.ts';
import { afterNumber, limit, pageOf } from './page-of.ts';
import { isHolder, requireHolder, TaskView, taskView } from './task-holder.ts';
import { patchTask, REMOTE_LEASE_SECONDS, RemoteLease, TaskPatch } from './task-patch.ts';
import { addWork, shown } from './task-work.ts';

const PlainTask = TaskInput.extend({ kind: z.literal('task') });

const isPlain = ({ kind = 'task' }: Record<string, unknown>) => kind === 'task';

const ClaimInput = Claim.extend({ leaseSeconds: RemoteLease }).partial();

export const taskRoutes: Route[] = [
  route({
    operationId: 'listTasks',
    method: 'get',
    path: '/projects/:project/tasks',
    summary: 'Lists the tasks of a project in plan order.',
    who: 'anybody',
    query: z.strictObject({
      status: TaskStatus.optional().describe('Only tasks in this state.'),
      kind: TaskKind.optional().describe('Only tasks of this kind. Default: "task" and "phase".'),
      after: afterNumber,
      limit,
    }),
    data: z.array(TaskView),
    paged: true,
    async handle({ ledger, caller, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      const { data, ...more } = await pageOf(
        query,
        (most, from) =>
          ledger.tasks.list(id, { ...kindsOf(query), status: query.status, after: from, limit: most }),
        ({ position }) => position,
      );
      return { data: data.map((task) => taskView(caller, task)), ...more };
    },
  }),
  route({
    operationId: 'addTask',
    method: 'post',
    path: '/projects/:project/tasks',
    summary: 'Adds a task.',
    description:
      'Without a kind, or with "task", a plain task. Only a person may add another kind: a draft, a review, a run of a plan …',
    who: 'anybody',
    sent: z.union([NewWork, PlainTask.omit({ projectId: true }).partial({ kind: true })]),
    complete: (sent, params) => (isPlain(sent) ? { kind: 'task', ...inProject(sent, params) } : sent),
    body: z.discriminatedUnion('kind', [PlainTask, ...NewWork.options]),
    statuses: [201],
    data: TaskView,
    async handle(call) {
      const { ledger, caller, body, by, params } = call;
      if (body.kind === 'task') {
        const { kind: _, ...input } = body;
        return { data: taskView(caller, await ledger.tasks.add(input, by)) };
      }
      requirePerson(caller);
      const { id } = await addWork(call, body);
      return shown({ ...call, params: { ...params, task: id } });
    },
  }),
  route({
    operationId: 'listReadyTasks',
    method: 'get',
    path: '/projects/:project/tasks/ready',
    summary:
      'Lists the tasks that can be claimed now, by priority, then in plan order, including those whose lease has expired.',
    who: 'anybody',
    query: z.strictObject({ limit }),
    data: z.array(TaskView),
    async handle({ ledger, caller, params, query }) {
      const { id } = await ledger.projects.get(params.project ?? '');
      const tasks = await ledger.tasks.ready(id, query.limit);
      return { data: tasks.map((task) => taskView(caller, task)) };
    },
  }),
  route({
    operationId: 'getTask',
    method: 'get',
    path: '/projects/:project/tasks/:task',
    summary: 'Reads one task.',
    who: 'anybody',
    data: TaskView,
    async handle(call) {
      const { data } = await shown(call);
      const wait = data.needs === null ? undefined : workerWait(data, await call.ledger.workers.list());
      return { data: { ...data, ...(wait === undefined ? {} : { workerWait: wait }) } };
    },
  }),
  route({
    operationId: 'changeTask',
    method: 'patch',
    path: '/projects/:project/tasks/:task',
    summary: 'Blocks, unblocks, closes or reopens a task, renews its lease, or adds dependencies.',
    who: 'anybody',
    body: TaskPatch,
    data: TaskView,
    async handle({ ledger, caller, params, body, by }) {
      const place = { projectId: params.project ?? '', id: params.task ?? '' };
      return { data: taskView(caller, await patchTask(ledger, place, body, caller, by)) };
    },
  }),
  route({
    operationId: 'claimTask',
    method: 'post',
    path: '/projects/:project/tasks/:task/claim',
    summary: 'Claims a task for a worker until the lease expires.',
    description: 'Send the `fence` of the response with every write.',
    who: 'anybody',
    body: ClaimInput.optional(),
    data: TaskView,
    async handle({ ledger, caller, params, body, by }) {
      const claim = {
        worker: body?.worker ?? caller.name,
        leaseSeconds: body?.leaseSeconds ?? REMOTE_LEASE_SECONDS,
      };
      const task = await ledger.tasks.claim(params.project ?? '', params.task ?? '', claim, by);
      return { data: taskView(caller, task) };
    },
  }),
  route({
    operationId: 'reportTaskResult',
    method: 'post',
    path: '/projects/:project/tasks/:task/result',
    summary: "Reports a Coder's result.",
    description: 'With questions, the task waits for the answers; otherwise it is closed or blocked.',
    who: 'anybody',
    body: CoderResult.extend({ fence: z.number().int().optional() }),
    data: z.object({
      task: TaskView,
      notification: Notification.optional(),
      dropped: z.array(z.unknown()).optional().describe('Entries that are not questions, and why.'),
    }),
    async handle({ ledger, caller, params, body, by }) {
      const { fence, ...result } = body;
      const { project: projectId = '', task: taskId = '' } = params;
      const held = await ledger.tasks.get(projectId, taskId);
      requireHolder(caller, held);
      // An agent's claim must not have changed since the check above; a person overrides it.
      const of = { projectId, taskId, fence: fence ?? (caller.role === 'agent' ? held.fence : undefined) };
      const coder = caller.role === 'agent' ? by : coderOf(held);
      const close = () => closeTask(ledger, projectId, taskId, by, of.fence);
      const { task, notification, dropped } = await applyCoderResult(ledger, { ...of, close }, result, coder);
      const some = dropped.slice(0, limits.questions);
      const told = { ...(notification && { notification }), ...(some.length > 0 && { dropped: some }) };
      return { data: { task: taskView(caller, task), ...told } };
    },
  }),
  route({
    operationId: 'listTaskMessages',
    method: 'get',
    path: '/projects/:project/tasks/:task/chat',
    summary: 'Lists the chat of a task: answers and messages, oldest first.',
    description: 'An agent sees the answers only for tasks it holds.',
    who: 'anybody',
    query: z.strictObject({ after: afterNumber, limit }),
    data: z.array(ChatMessage),
    paged: true,
    async handle({ ledger, caller, params, query }) {
      const task = await ledger.tasks.get(params.project ?? '', params.task ?? '');
      const { data, ...more } = await pageOf(
        query,
        (most, from) => ledger.tasks.chat(task.projectId, task.id, { after: from, limit: most }),
        ({ id }) => id,
      );
      const seesAnswers = isHolder(caller, task);
      return { data: data.filter(({ notificationId }) => seesAnswers || notificationId === null), ...more };
    },
  }),
  route({
    operationId: 'addTaskMessage',
    method: 'post',
    path: '/projects/:project/tasks/:task/chat',
    summary: 'Adds a message to the chat of a task.',
    who: 'anybody',
    description: "What a person sends is for the task's agent; `delivery` says whether the agent has it.",
    body: z.strictObject({
      text: z.string().trim().min(1).max(limits.chatText),
      interrupt: z
        .boolean()
        .optional()
        .describe("End the agent's current turn, so that it reads this first."),
    }),
    statuses: [201],
    data: ChatMessage,
    async handle({ ledger, params, body, by }) {
      const { project = '', task = '' } = params;
      const { text, interrupt: interrupts = false } = body;
      return { data: await ledger.tasks.say(project, task, text, by, { interrupts }) };
    },
  }),
];

const kindsOf = ({ kind }: { kind?: TaskKind | undefined }) => (kind === undefined ? {} : { kinds: [kind] });

/**
 * Records a result and its questions as the Coder's, even if a person sends them, because the project may let agents
 * decide them.
 */
const coderOf = ({ id, assignee }: Task): By => ({
  actor: { kind: 'agent', name: assignee ?? 'coder' },
  channel: 'rest',
  task: id,
});
