import type { BackgroundTask, WakeUpEvent } from '../stream/events.ts';

/** How long a finished task may take to wake the agent. The CLI reports the wake-up shortly after the task's end. */
const WAKING_MS = 5000;
const MAX_ENDED = 200;

/** Which of an agent's threads is active; empty for the agent itself. */
export interface Thread {
  /** The call that started the sub-agent. */
  parent?: string;
  /** What the sub-agent was asked to do. */
  asker?: string;
}

/** What an agent has running besides its turn, as far as its events show: tasks, and wake-ups that it scheduled. */
export class BackgroundTasks {
  readonly #tasks = new Map<string, BackgroundTask>();
  readonly #wakeUps = new Map<string, WakeUpEvent>();
  /** Finished tasks, kept so that earlier askers still have a name. */
  readonly #ended = new Map<string, BackgroundTask>();
  /** When tasks ended, by id; only those whose end has not started a turn yet. */
  readonly #untold = new Map<string, number>();

  /** Descriptions of what runs outside the turn. */
  get names(): string[] {
    const tasks = this.#background.map(({ id, description }) => description ?? `task ${id}`);
    return [...new Set([...tasks, ...[...this.#wakeUps.values()].map(({ description }) => description)])];
  }

  get isAlive(): boolean {
    return this.#background.length > 0 || this.#wakeUps.size > 0;
  }

  /** The sub-agent that has this task or was started by this call, even if it has ended. */
  thread({ taskId, parent }: { taskId?: string; parent?: string }): Thread {
    const task = [...this.#ended.values(), ...this.#tasks.values()].findLast(
      ({ id, toolUseId }) => id === taskId || (toolUseId !== undefined && toolUseId === parent),
    );
    const call = parent ?? task?.toolUseId ?? taskId;
    return {
      ...(call === undefined ? {} : { parent: call }),
      ...(task?.description === undefined ? {} : { asker: task.description }),
    };
  }

  taskBegan(task: BackgroundTask): void {
    const known = this.#tasks.get(task.id) ?? this.#ended.get(task.id);
    this.#ended.delete(task.id);
    this.#tasks.set(task.id, { ...known, ...defined(task) });
  }

  taskEnded({ id, isForeground }: BackgroundTask, now: number): void {
    const task = this.#tasks.get(id);
    if (isForeground || task?.isForeground) this.#untold.delete(id);
    else this.#untold.set(id, now);
    if (!task) return;
    this.#tasks.delete(id);
    this.#ended.set(id, task);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** The agent lists its background tasks; any task that is not listed has ended. */
  tasksAre(alive: readonly BackgroundTask[], now: number): void {
    const ids = new Set(alive.map(({ id }) => id));
    for (const task of this.#background) if (!ids.has(task.id)) this.taskEnded(task, now);
    for (const task of alive) this.taskBegan({ ...task, isForeground: false });
  }

  planned(wakeUp: WakeUpEvent): void {
    this.#wakeUps.set(wakeUp.id, wakeUp);
  }

  cancelled(wakeUpId: string): void {
    this.#wakeUps.delete(wakeUpId);
  }

  /** A wake-up is over once it has begun a turn. A recurring one does not keep the run alive forever. */
  turnBegan(now: number, isOurs: boolean): void {
    const isWoken = !isOurs && this.#untold.size === 0;
    for (const [id, { at }] of this.#wakeUps) {
      if (at === undefined ? isWoken : at <= now) this.#wakeUps.delete(id);
    }
    this.#untold.clear();
  }

  /** True if a task has ended and the agent has not begun a turn since, so that its model may not know about it yet. */
  get isUntold(): boolean {
    return this.#untold.size > 0;
  }

  /** How long a finished task may still wake the agent. */
  wakesWithin(now: number): number {
    return Math.max(0, ...[...this.#untold.values()].map((endedAt) => endedAt + WAKING_MS - now));
  }

  get #background(): BackgroundTask[] {
    return [...this.#tasks.values()].filter(({ isForeground }) => !isForeground);
  }
}

/** Drops undefined fields, because a later event may say less than an earlier one. */
function defined(task: BackgroundTask): BackgroundTask {
  return Object.fromEntries(
    Object.entries(task).filter(([, value]) => value !== undefined),
  ) as BackgroundTask & object;
}
