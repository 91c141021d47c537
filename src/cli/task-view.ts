import type { Ledger } from '../ledger/ledger.ts';
import type { Notification } from '../schema/notification.ts';
import { questionTitle } from '../schema/question-title.ts';
import type { ChatMessage, Task, TaskStatus } from '../schema/task.ts';
import { visible } from '../schema/visible.ts';
import { localTime } from './local-time.ts';
import { type Column, oneLine } from './table.ts';

/** A task as programs get it: `block_reason` is the older name of `blockReason`. */
export function taskJson(task: Task): Task & { block_reason: string | null } {
  return { ...task, block_reason: task.blockReason };
}

export const readyColumns: Column<Task>[] = [
  { heading: 'ID', cell: (task) => task.id },
  { heading: 'PRIO', cell: (task) => task.priority },
  { heading: 'TITLE', cell: (task) => task.title, flexible: true },
];

/** The columns of a list of all tasks; `waitsFor` has each task's unfinished dependencies. */
export function taskColumns(waitsFor: ReadonlyMap<string, string[]>): Column<Task>[] {
  return [
    { heading: 'ID', cell: (task) => task.id },
    { heading: 'KIND', cell: (task) => task.kind },
    { heading: 'STATUS', cell: (task) => task.status },
    { heading: 'PRIO', cell: (task) => task.priority },
    { heading: 'TITLE', cell: (task) => task.title, flexible: true },
    { heading: 'WAITS FOR', cell: (task) => describeWait(task, waitsFor.get(task.id) ?? []), flexible: true },
    { heading: 'ASSIGNEE', cell: (task) => task.assignee },
  ];
}

/** The state of a task: `t3 is blocked: customer`. */
export function sentenceOf(task: Task, waitsFor: string[]): string {
  const reason = task.blockReason ? `: ${oneLine(task.blockReason)}` : task.paused ? ' and paused' : '';
  const others = waitsFor.length > 0 ? `; it waits for ${waitsFor.join(', ')}` : '';
  return `${task.id} is ${task.status}${reason}${others}`;
}

/** For each task, its dependencies that are not closed. */
export async function unfinishedOf(ledger: Ledger, tasks: Task[]): Promise<Map<string, string[]>> {
  const statuses = new Map<string, TaskStatus>(tasks.map((task) => [task.id, task.status]));
  const result = new Map<string, string[]>();
  for (const task of tasks) {
    if (task.status === 'closed') continue;
    const unfinished: string[] = [];
    for (const id of task.dependsOn) {
      const status = statuses.get(id) ?? (await ledger.tasks.get(task.projectId, id)).status;
      statuses.set(id, status);
      if (status !== 'closed') unfinished.push(id);
    }
    result.set(task.id, unfinished);
  }
  return result;
}

export function presentTask(
  task: Task,
  { waitsFor, worker }: { waitsFor: string[]; worker: string | undefined },
  chat: ChatMessage[],
  questions: Notification[],
): string[] {
  const wait = describeWait({ ...task, paused: false }, waitsFor);
  const state = task.paused ? `${task.status}, paused` : task.status;
  const fields: [string, string][] = [
    ['Status', state + (wait ? ` (waits for: ${wait})` : '')],
    ['Workers', task.needs === null ? '' : (worker ?? `need ${task.needs.join(', ')}`)],
    ['Priority', String(task.priority)],
    ['Assignee', task.assignee ? `${task.assignee}, until ${localTime(task.leaseUntil ?? '')}` : ''],
    ['Depends on', task.dependsOn.join(', ')],
    ['Added', localTime(task.createdAt)],
    ['Closed', task.closedAt ? localTime(task.closedAt) : ''],
  ];
  return [
    `${task.id}  ${oneLine(task.title)}`,
    ...fields.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(11)} ${oneLine(value)}`),
    ...(task.body ? ['', indented(task.body)] : []),
    ...section('Open questions', questions.flatMap(presentQuestion)),
    ...section('Chat', chat.map(presentMessage)),
  ];
}

function describeWait(task: Task, waitsFor: string[]): string {
  return [task.paused ? 'paused' : '', task.blockReason ?? '', waitsFor.join(', ')]
    .filter(Boolean)
    .join('; ');
}

function presentQuestion(notification: Notification): string[] {
  const open = notification.questions.filter(
    (q) => !notification.responses.some((r) => r.questionId === q.id),
  );
  return open.map((question) => `  ${notification.id}  ${oneLine(questionTitle(question))}`);
}

function presentMessage({ at, by, text, delivery }: ChatMessage): string {
  const state = delivery === null ? '' : `, ${delivery}`;
  return `  ${localTime(at)}  ${oneLine(by.actor.name)} (${by.channel}${state})\n${indented(text, 4)}`;
}

function section(title: string, lines: string[]): string[] {
  return lines.length > 0 ? ['', title, ...lines] : [];
}

function indented(text: string, by = 2): string {
  return visible(text).trimEnd().replace(/^/gm, ' '.repeat(by));
}
