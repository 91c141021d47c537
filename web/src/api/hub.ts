import type { HilConfig } from '../../../src/schema/autonomy.ts';
import type { Identity, Token, TokenInput } from '../../../src/schema/credential.ts';
import type { Decision } from '../../../src/schema/decision.ts';
import type { Event } from '../../../src/schema/event.ts';
import type { Insights } from '../../../src/schema/insights.ts';
import type { AmendInput, Notification, ResolveInput } from '../../../src/schema/notification.ts';
import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { PlanSummary, PlanView } from '../../../src/schema/plan-view.ts';
import type { ListedProject, Project } from '../../../src/schema/project.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { ChatMessage, Task, TaskKind, TaskStatus } from '../../../src/schema/task.ts';
import type { Feedback } from '../../../src/schema/work.ts';
import type { Filter } from '../route.ts';
import { dropPageKey, keepPageKey } from './page-key.ts';
import { type Cursor, PAGE_ROWS, request, requestAll } from './request.ts';

export const LIST_LIMIT = 1000;
/** Oldest first, so the limit must be high enough to include the latest message. */
const CHAT_LIMIT = 100_000;
const EVENT_LIMIT = 100_000;
/** Events are small, so one page may have many. */
const EVENT_ROWS = 1000;
const enc = encodeURIComponent;
const project = (id: string) => `/projects/${enc(id)}`;

async function data<T>(...call: Parameters<typeof request<T>>): Promise<T> {
  return (await request<T>(...call)).data;
}

async function logIn(proof: { code: string } | { token: string }): Promise<Identity> {
  const { pageKey, ...who } = await data<Identity & { pageKey: string }>('/session', {
    method: 'POST',
    body: proof,
  });
  keepPageKey(pageKey);
  return who;
}

/** How to start work; without an agent, the previous one does it. */
const startOf = ({ agent, branch, remote }: Starting) => {
  const workers = { ...(branch ? { branch } : {}), ...(remote ? { remote } : {}) };
  return { ...(agent ? { agent } : {}), ...(branch || remote ? { workers } : {}) };
};

/** A task with how far the work on it is. */
export type TaskWithWork = Task & { work: TaskProgress };

/** Who does the work, and where if workers do it. A missing field keeps its previous value. */
export interface Starting {
  agent?: string;
  branch?: string;
  remote?: string;
}

export type RunWithQuestions = Run & { questions: Notification[] };

/** The part of the hub's API that the page uses. */
export const hub = {
  session: () => data<Identity>('/session'),
  logInByCode: (code: string) => logIn({ code }),
  logInByToken: (token: string) => logIn({ token }),
  logOut: async () => {
    await data<unknown>('/session', { method: 'DELETE' });
    dropPageKey();
  },
  ticket: () => data<{ ticket: string }>('/ws-ticket', { method: 'POST', body: {}, repeatable: true }),

  projects: async () => (await requestAll<ListedProject>('/projects', Infinity)).rows,
  addProject: (root: string) => data<Project>('/projects', { method: 'POST', body: { root } }),

  /** Oldest first. */
  openNotifications: (limit: number, after?: Cursor) =>
    requestAll<Notification>('/notifications?status=open', limit, after),
  /** The open notifications that match a filter; `next` is where the search continues. */
  findOpen: ({ text, project: id, kind }: Filter, after?: Cursor) => {
    const given = { text, kind, after: String(after ?? '') };
    const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
    return request<Notification[]>(`${id && project(id)}/notifications?status=open&limit=500&${query}`);
  },
  notification: (id: string, nid: string) => data<Notification>(`${project(id)}/notifications/${enc(nid)}`),
  // The same answer twice counts once, so it may be sent again.
  resolve: (id: string, nid: string, body: ResolveInput, keepalive = false) =>
    data<Notification>(`${project(id)}/notifications/${enc(nid)}`, {
      method: 'PATCH',
      body,
      repeatable: true,
      keepalive,
    }),

  accept: (id: string, nid: string) =>
    data<Notification>(`${project(id)}/notifications/${enc(nid)}/accept`, {
      method: 'POST',
      repeatable: true,
    }),

  amend: (id: string, nid: string, body: AmendInput) =>
    data<Notification & { effect?: { message: string } }>(`${project(id)}/notifications/${enc(nid)}/amend`, {
      method: 'POST',
      body,
      repeatable: true,
    }),

  /** In plan order. */
  tasks: (id: string, limit: number, after?: Cursor) =>
    requestAll<Task>(`${project(id)}/tasks`, limit, after, LIST_LIMIT),
  tasksThatAre: (status: TaskStatus, id: string, limit: number) =>
    requestAll<Task>(`${project(id)}/tasks?status=${status}`, limit, undefined, LIST_LIMIT),
  task: (id: string, tid: string) => data<TaskWithWork>(`${project(id)}/tasks/${enc(tid)}`),
  chat: async (id: string, tid: string) =>
    (await requestAll<ChatMessage>(`${project(id)}/tasks/${enc(tid)}/chat`, CHAT_LIMIT)).rows,
  say: (id: string, tid: string, text: string, interrupt: boolean) =>
    data<ChatMessage>(`${project(id)}/tasks/${enc(tid)}/chat`, { method: 'POST', body: { text, interrupt } }),

  tasksOfKind: async (id: string, kind: TaskKind) =>
    (await requestAll<Task>(`${project(id)}/tasks?kind=${kind}`, LIST_LIMIT, undefined, LIST_LIMIT)).rows,
  addWork: (id: string, kind: TaskKind, input: object, as: Starting) =>
    data<TaskWithWork>(`${project(id)}/tasks`, { method: 'POST', body: { kind, input, start: startOf(as) } }),
  startTask: (id: string, tid: string, as: Starting) =>
    data<TaskWithWork>(`${project(id)}/tasks/${enc(tid)}/start`, { method: 'POST', body: startOf(as) }),
  pauseTask: (id: string, tid: string) =>
    data<TaskWithWork>(`${project(id)}/tasks/${enc(tid)}/pause`, { method: 'POST' }),
  patchTask: (id: string, tid: string, body: { status: TaskStatus; blockReason?: string }) =>
    data<Task>(`${project(id)}/tasks/${enc(tid)}`, { method: 'PATCH', body }),

  addFeedback: (id: string, text: string) =>
    data<Feedback>(`${project(id)}/feedback`, { method: 'POST', body: { text } }),
  /** Newest first. */
  feedback: async (id: string) => (await request<Feedback[]>(`${project(id)}/feedback?limit=5`)).data,
  startPlan: (id: string, name: string, as: Starting) =>
    hub.addWork(id, 'run', { plan: `plans/${name}` }, as),
  pausePlan: (id: string, name: string) =>
    data<TaskWithWork>(`${project(id)}/tasks/${enc(`run:${name}`)}/pause`, { method: 'POST' }),

  plans: (id: string) => data<PlanSummary[]>(`${project(id)}/plans`),
  plan: (id: string, name: string) => data<PlanView>(`${project(id)}/plans/${enc(name)}`),
  /** Newest first. */
  runs: (id: string, limit: number) =>
    requestAll<Run>(`${project(id)}/runs`, limit, undefined, Math.min(limit, PAGE_ROWS)),
  run: (id: string, rid: string) => data<RunWithQuestions>(`${project(id)}/runs/${enc(rid)}`),
  runEvents: async (id: string, rid: string, after?: Cursor) =>
    (await requestAll<Event>(`${project(id)}/runs/${enc(rid)}/events`, EVENT_LIMIT, after, EVENT_ROWS)).rows,
  endStanding: (id: string, did: string) =>
    data<null>(`${project(id)}/decisions/${enc(did)}/standing`, { method: 'DELETE' }),
  /** Newest first. */
  decisions: (id: string, limit: number) =>
    requestAll<Decision>(`${project(id)}/decisions`, limit, undefined, Math.min(limit, PAGE_ROWS)),

  /** Newest first. */
  recorded: (id: string, limit: number) =>
    requestAll<Notification>(`${project(id)}/recorded`, limit, undefined, Math.min(limit, PAGE_ROWS)),

  insights: (id: string) => data<Insights>(`${project(id)}/insights`),
  settings: (id: string) => data<{ hilConfig: HilConfig }>(`${project(id)}/settings`),
  setAutonomy: (id: string, hilConfig: Partial<HilConfig>) =>
    data<{ hilConfig: HilConfig }>(`${project(id)}/settings`, { method: 'PATCH', body: { hilConfig } }),
  tokens: async () => (await requestAll<Token>('/tokens', Infinity)).rows,
  makeToken: (input: TokenInput) =>
    data<Token & { secret: string }>('/tokens', { method: 'POST', body: input }),
  revokeToken: (id: string) => data<null>(`/tokens/${enc(id)}`, { method: 'DELETE' }),
};
