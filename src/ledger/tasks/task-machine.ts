import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { isAsking, OPEN_QUESTION, type TaskStatus } from '../../schema/task.ts';

/** The part of a task that changes over its lifetime. */
export interface TaskState {
  id: string;
  status: TaskStatus;
  assignee: string | null;
  blockReason: string | null;
  fence: number;
  /** Milliseconds since 1970, by the store's clock. */
  leaseUntil: number | null;
  /** Who continues with it when its question is settled: a worker whose agent is still alive and holds the lease. */
  keptFor: string | null;
  /** The agent that made the claim, in its own name or another's. */
  claimedBy: string | null;
  /** Nobody may claim it. */
  paused: boolean;
}

export type TaskCommand =
  | {
      kind: 'claim';
      worker: string;
      agent: string | null;
      leaseUntil: number;
      now: number;
      unfinished: number;
    }
  | { kind: 'heartbeat'; fence: number; leaseUntil: number }
  | { kind: 'release'; fence: number }
  | { kind: 'reclaim'; now: number; dead?: string }
  | { kind: 'ask'; fence?: number; keep?: boolean }
  | { kind: 'answered'; openQuestions: number; now: number }
  | { kind: 'expired' }
  | { kind: 'block'; reason: string; fence?: number }
  | { kind: 'unblock'; openQuestions: number }
  | { kind: 'close'; fence?: number }
  /** It has its result. */
  | { kind: 'finish' }
  | { kind: 'reopen'; openQuestions: number };

const QUESTION_EXPIRED = 'Question expired';

const free = { assignee: null, leaseUntil: null, keptFor: null, claimedBy: null };

/** Decides the next state of a task, or null if nothing changes; throws a FermataError if the command is refused. */
export function decideTask(task: TaskState, command: TaskCommand): TaskState | null {
  switch (command.kind) {
    case 'claim':
      return claim(task, command);
    case 'heartbeat':
      requireHolder(task, command.fence);
      return { ...task, leaseUntil: command.leaseUntil };
    case 'release':
      requireHolder(task, command.fence);
      return { ...task, ...free, status: task.status === 'blocked' ? 'blocked' : 'open' };
    case 'reclaim':
      if (!leaseExpired(task, command.now) && !isHeldBy(task, command.dead)) return null;
      return { ...task, ...free, status: 'open', fence: task.fence + 1 };
    case 'ask':
      requireFence(task, command.fence);
      if (task.status === 'closed' || task.status === 'blocked') return null;
      return {
        ...task,
        ...(command.keep ? kept(task) : free),
        status: 'blocked',
        blockReason: OPEN_QUESTION,
      };
    case 'answered':
      if (!isAsking(task)) return null;
      if (command.openQuestions > 0) return null;
      return { ...task, ...resumeClaim(task, command.now), blockReason: null };
    case 'expired':
      if (!isAsking(task)) return null;
      return { ...task, ...free, blockReason: QUESTION_EXPIRED };
    case 'block':
      requireFence(task, command.fence);
      requireNotClosed(task, 'block');
      // A withdrawn order releases its tasks without a new fence; a later failure is no longer about the task.
      if (command.fence !== undefined && task.status === 'open') throw claimEnded(task);
      return { ...task, ...free, status: 'blocked', blockReason: command.reason, fence: task.fence + 1 };
    case 'unblock':
      if (task.status !== 'blocked') {
        throw new FermataError('conflict', `Task ${task.id} is ${task.status}, not blocked.`);
      }
      return { ...task, ...waitingOrOpen(command.openQuestions) };
    case 'finish':
    case 'close':
      if (command.kind === 'close') requireFence(task, command.fence);
      if (task.status === 'closed') return null;
      return { ...task, ...free, status: 'closed', blockReason: null, fence: task.fence + 1 };
    case 'reopen':
      if (task.status !== 'closed') {
        throw new FermataError('conflict', `Task ${task.id} is ${task.status}, not closed.`);
      }
      return { ...task, ...waitingOrOpen(command.openQuestions) };
    default: {
      const never: never = command;
      return never;
    }
  }
}

/** The worker is known to have died before the lease expired. */
function isHeldBy(task: TaskState, worker: string | undefined): boolean {
  return worker !== undefined && task.status === 'in_progress' && task.assignee === worker;
}

function leaseExpired(task: TaskState, now: number): boolean {
  return task.status === 'in_progress' && task.leaseUntil !== null && task.leaseUntil <= now;
}

/** Unassigned to everyone who looks, but the lease continues, because the agent that asked is alive and waits. */
function kept(task: TaskState): Pick<TaskState, 'assignee' | 'keptFor'> {
  return { assignee: null, keptFor: task.assignee };
}

/** Returns the task to the worker that it is kept for, under the same claim, unless that worker's lease expired. */
function resumeClaim(task: TaskState, now: number): Partial<TaskState> {
  const alive = task.keptFor !== null && task.leaseUntil !== null && task.leaseUntil > now;
  if (!alive) return { ...free, status: 'open' };
  return { status: 'in_progress', assignee: task.keptFor, leaseUntil: task.leaseUntil, keptFor: null };
}

function claim(task: TaskState, command: Extract<TaskCommand, { kind: 'claim' }>): TaskState {
  const expired = leaseExpired(task, command.now);
  if (task.status === 'in_progress' && !expired) {
    throw new FermataError('conflict', `Task ${task.id} is held by ${task.assignee}.`, {
      details: { assignee: task.assignee },
    });
  }
  if (task.status !== 'open' && !expired) {
    const why = task.blockReason ? `${task.status} (${task.blockReason})` : task.status;
    throw new FermataError('conflict', `Task ${task.id} cannot be claimed: it is ${why}.`);
  }
  if (task.paused) {
    throw new FermataError(
      'conflict',
      `Task ${task.id} is paused. To continue it: ${cmd`resume ${task.id}`}`,
    );
  }
  if (command.unfinished > 0) {
    throw new FermataError(
      'conflict',
      `Task ${task.id} cannot be claimed: it depends on ${command.unfinished} unfinished task(s).`,
    );
  }
  return {
    ...task,
    status: 'in_progress',
    assignee: command.worker,
    claimedBy: command.agent,
    leaseUntil: command.leaseUntil,
    fence: task.fence + 1,
  };
}

function waitingOrOpen(openQuestions: number): Partial<TaskState> {
  return openQuestions > 0
    ? { status: 'blocked', blockReason: OPEN_QUESTION }
    : { ...free, status: 'open', blockReason: null };
}

function requireHolder(task: TaskState, fence: number): void {
  requireFence(task, fence);
  if (task.status !== 'in_progress' && task.keptFor === null) {
    throw claimEnded(task);
  }
}

const claimEnded = ({ id, status }: TaskState) =>
  new FermataError('stale', `Task ${id} is ${status}, so this claim has ended.`);

/** A person gives no fence and overrides; a worker's fence must be the current one. */
export function requireFence(task: TaskState, fence: number | undefined): void {
  if (fence === undefined || fence === task.fence) return;
  throw new FermataError(
    'stale',
    `Task ${task.id} was taken over: claim ${fence} is no longer current. Stop working on it.`,
    { details: { assignee: task.assignee } },
  );
}

function requireNotClosed(task: TaskState, verb: string): void {
  if (task.status === 'closed') {
    throw new FermataError(
      'conflict',
      `Task ${task.id} is closed; you cannot ${verb} it. Reopen it first: ${cmd`tasks reopen ${task.id}`}`,
    );
  }
}
