import type { HilConfig } from '../../../src/schema/autonomy.ts';
import type { Decision } from '../../../src/schema/decision.ts';
import type { Event } from '../../../src/schema/event.ts';
import type { Notification, ResolveInput } from '../../../src/schema/notification.ts';
import type { Project } from '../../../src/schema/project.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { request, requestAll } from './request.ts';
import type { Identity, PlanDocument, PlanSummary, Token } from './shapes.ts';

const LIST_LIMIT = 1000;
const EVENT_LIMIT = 5000;
const enc = encodeURIComponent;
const project = (id: string) => `/projects/${enc(id)}`;

async function data<T>(...call: Parameters<typeof request<T>>): Promise<T> {
  return (await request<T>(...call)).data;
}

/** The hub's API, as far as the page uses it. */
export const hub = {
  session: () => data<Identity>('/session'),
  logIn: (code: string) => data<Identity>('/session', { method: 'POST', body: { code } }),
  logOut: () => data<unknown>('/session', { method: 'DELETE' }),
  ticket: () => data<{ ticket: string }>('/ws-ticket', { method: 'POST', body: {}, repeatable: true }),

  projects: async () => (await requestAll<Project>('/projects', LIST_LIMIT)).rows,
  addProject: (root: string) => data<Project>('/projects', { method: 'POST', body: { root } }),

  openNotifications: () => requestAll<Notification>('/notifications?status=open', LIST_LIMIT),
  notificationsOf: async (id: string) =>
    (await requestAll<Notification>(`${project(id)}/notifications?status=open`, LIST_LIMIT)).rows,
  notification: (id: string, nid: string) => data<Notification>(`${project(id)}/notifications/${enc(nid)}`),
  // The same answer twice counts once, so it may be sent again.
  resolve: (id: string, nid: string, body: ResolveInput, keepalive = false) =>
    data<Notification>(`${project(id)}/notifications/${enc(nid)}`, {
      method: 'PATCH',
      body,
      repeatable: true,
      keepalive,
    }),

  tasks: (id: string) => requestAll<Task>(`${project(id)}/tasks`, LIST_LIMIT),
  task: (id: string, tid: string) => data<Task>(`${project(id)}/tasks/${enc(tid)}`),
  chat: async (id: string, tid: string) =>
    (await requestAll<ChatMessage>(`${project(id)}/tasks/${enc(tid)}/chat`, LIST_LIMIT)).rows,
  say: (id: string, tid: string, text: string) =>
    data<ChatMessage>(`${project(id)}/tasks/${enc(tid)}/chat`, { method: 'POST', body: { text } }),

  plans: (id: string) => data<PlanSummary[]>(`${project(id)}/plans`),
  plan: (id: string, name: string) => data<PlanDocument>(`${project(id)}/plans/${enc(name)}`),
  runs: (id: string) => data<Run[]>(`${project(id)}/runs`),
  run: (id: string, rid: string) => data<Run>(`${project(id)}/runs/${enc(rid)}`),
  runEvents: async (id: string, rid: string) =>
    (await requestAll<Event>(`${project(id)}/runs/${enc(rid)}/events`, EVENT_LIMIT)).rows,
  decisions: (id: string) => data<Decision[]>(`${project(id)}/decisions`),

  settings: (id: string) => data<{ hilConfig: HilConfig }>(`${project(id)}/settings`),
  setAutonomy: (id: string, hilConfig: HilConfig) =>
    data<{ hilConfig: HilConfig }>(`${project(id)}/settings`, { method: 'PATCH', body: { hilConfig } }),
  tokens: () => data<Token[]>('/tokens'),
};
