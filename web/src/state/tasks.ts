import { signal } from '@preact/signals';
import type { Event } from '../../../src/schema/event.ts';
import type { Task, TaskStatus } from '../../../src/schema/task.ts';
import { messageOf } from '../api/error.ts';
import { hub, LIST_LIMIT } from '../api/hub.ts';
import type { Cursor } from '../api/request.ts';
import { onEvent, onReturn } from './live.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { leftOut } from './session.ts';
import type { Loaded } from './use-live.ts';

/** The loaded tasks of a project. */
export interface TaskList {
  /** In plan order. */
  tasks: readonly Task[];
  /** Where the list continues. */
  next: Cursor | undefined;
  /** The statuses with more tasks than are loaded. */
  cut: readonly TaskStatus[];
}

const UNFINISHED: readonly TaskStatus[] = ['blocked', 'in_progress', 'open'];

const MOMENT_MS = 30;
/** After this many hints at once, reading everything is cheaper. */
const MAX_LOOKS = 20;
const NONE: readonly Task[] = [];

/** By project id. */
const lists = signal<Readonly<Record<string, Loaded<TaskList>>>>({});

/** For each project in use: how to read all its tasks again, and when the first read was done. */
const wanted = new Map<string, { readAgain: () => Promise<void>; first: Promise<void> }>();

export const taskList = (projectId: string | undefined): Loaded<TaskList> =>
  lists.value[projectId ?? ''] ?? { state: 'loading' };

export function tasksOf(projectId: string): readonly Task[] {
  const list = taskList(projectId);
  return list.state === 'loaded' ? list.data.tasks : NONE;
}

/** Keeps the tasks of these projects up to date; resolves when all have been read once. */
export async function watchTasks(projectIds: Iterable<string>): Promise<void> {
  await Promise.all(
    [...projectIds].map((id) => {
      const { first, readAgain } = wanted.get(id) ?? want(id);
      return lists.peek()[id]?.state === 'failed' ? readAgain() : first;
    }),
  );
}

function want(projectId: string) {
  const readAgain = oneAtATime(() => read(projectId));
  const entry = { readAgain, first: readAgain() };
  wanted.set(projectId, entry);
  return entry;
}

/** The next person to sign in may be somebody else. */
export function forgetTasks(): void {
  wanted.clear();
  lists.value = {};
}

/** Loads the next page of a project's list. */
export async function loadMoreTasks(projectId: string): Promise<void> {
  const known = loadedOf(projectId);
  const { rows, next } = await hub.tasks(projectId, LIST_LIMIT, known?.next);
  put(projectId, rows, { next, cut: next === undefined ? [] : (known?.cut ?? []) });
}

export function startTasks(): void {
  onEvent(look);
  onReturn(() => {
    for (const { readAgain } of wanted.values()) void readAgain();
  });
}

/** A very long list must not start with only closed tasks, so unfinished ones are read too. */
async function read(projectId: string): Promise<void> {
  try {
    const known = loadedOf(projectId)?.tasks.length ?? 0;
    const { rows, next } = await hub.tasks(projectId, Math.max(LIST_LIMIT, known));
    if (next === undefined) return put(projectId, rows, { next, cut: [] });
    const unfinished = await Promise.all(
      UNFINISHED.map(async (status) => ({
        status,
        ...(await hub.tasksThatAre(status, projectId, LIST_LIMIT)),
      })),
    );
    const cut = unfinished.flatMap((part) => (part.next === undefined ? [] : [part.status]));
    const all = [...rows, ...unfinished.flatMap((part) => part.rows)];
    put(projectId, all, { next, cut: ['closed', ...cut] });
  } catch (error) {
    // Keeps the tasks read so far. The inbox works without them, but cannot show what else waits.
    if (leftOut(error) || loadedOf(projectId)) return;
    lists.value = { ...lists.peek(), [projectId]: { state: 'failed', problem: messageOf(error) } };
  }
}

function loadedOf(projectId: string): TaskList | undefined {
  const list = lists.peek()[projectId];
  return list?.state === 'loaded' ? list.data : undefined;
}

function put(projectId: string, rows: readonly Task[], rest: Omit<TaskList, 'tasks'>): void {
  const byId = new Map(loadedOf(projectId)?.tasks.map((task) => [task.id, task]));
  for (const row of rows) {
    const known = byId.get(row.id);
    // A delayed response does not undo a newer row.
    if (!known || known.updatedAt <= row.updatedAt) byId.set(row.id, row);
  }
  const tasks = [...byId.values()].sort((a, b) => a.position - b.position);
  lists.value = { ...lists.peek(), [projectId]: { state: 'loaded', data: { ...rest, tasks } } };
}

/** By project id, the ids of tasks that may have changed. */
const hinted = new Map<string, Set<string>>();

function look({ type, projectId, data }: Event): void {
  if (type !== 'task.updated' || !wanted.has(projectId)) return;
  if (hinted.size === 0) setTimeout(followHints, MOMENT_MS);
  hinted.set(projectId, (hinted.get(projectId) ?? new Set()).add(String(data.id)));
}

function followHints(): void {
  const hints = [...hinted];
  hinted.clear();
  for (const [projectId, ids] of hints) void readChanged(projectId, ids);
}

async function readChanged(projectId: string, ids: ReadonlySet<string>): Promise<void> {
  const list = loadedOf(projectId);
  if (!list || ids.size > MAX_LOOKS) return wanted.get(projectId)?.readAgain();
  const read = await Promise.allSettled([...ids].map((id) => hub.task(projectId, id)));
  const rows = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  put(projectId, rows, loadedOf(projectId) ?? list);
  // A row that cannot be read now is read with all others when the connection is back.
  for (const one of read) if (one.status === 'rejected') leftOut(one.reason);
}
