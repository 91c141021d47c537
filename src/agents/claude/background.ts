import type { AgentSetup } from '../driver.ts';
import { BackgroundTasks, type Thread } from '../run/background-tasks.ts';
import { waitedLongEnough } from '../run/end.ts';
import { isRecord, type JsonRecord, list, record, text } from '../stream/agent-reader.ts';
import type {
  BackgroundTask,
  StateEvent,
  TaskEvent,
  TasksEvent,
  ToolEvent,
  WakeUpEvent,
} from '../stream/events.ts';
import { type Action, emit } from './dialogue.ts';

const CANCELS_WAKE_UP = 'CronDelete';
const MAX_NAMES_LENGTH = 500;

/** The agent's work outside its turns: whether it is still running, and what to report about it. */
export class Background {
  readonly #name: string;
  readonly #setup: Pick<AgentSetup, 'backgroundWaitMs'>;
  readonly #underWay = new BackgroundTasks();
  /** What the agent reported itself; undefined if it reports nothing. */
  #isIdle: boolean | undefined;
  #isTold = false;

  constructor(name: string, setup: Pick<AgentSetup, 'backgroundWaitMs'>) {
    this.#name = name;
    this.#setup = setup;
  }

  hear(event: TaskEvent | TasksEvent | WakeUpEvent | StateEvent): void {
    switch (event.type) {
      case 'task':
        if (event.isAlive) this.#underWay.taskBegan(event.task);
        else this.#underWay.taskEnded(event.task, Date.now());
        break;
      case 'tasks':
        this.#underWay.tasksAre(event.alive, Date.now());
        break;
      case 'wake-up':
        this.#underWay.planned(event);
        break;
      case 'state':
        this.#isIdle = event.isIdle;
        break;
      default:
        event satisfies never;
    }
  }

  called({ name, input }: ToolEvent): void {
    if (name === CANCELS_WAKE_UP) this.#underWay.cancelled(String(record(input).id));
  }

  turnBegan(isOurs: boolean): void {
    this.#isTold = false;
    this.#underWay.turnBegan(Date.now(), isOurs);
  }

  thread(of: { taskId?: string; parent?: string }): Thread {
    return this.#underWay.thread(of);
  }

  /** Between two turns, the agent still has something to do or to wait for. */
  get hasPendingWork(): boolean {
    return this.#underWay.isAlive || this.#isIdle === false;
  }

  /** How long a finished task may still wake the agent. */
  get wakesWithin(): number {
    return this.#underWay.wakesWithin(Date.now());
  }

  /** True if ending the process would lose work, or if a resumed agent would be woken before it gets its answer. */
  get needsProcess(): boolean {
    return this.#underWay.isAlive || this.#underWay.isUntold;
  }

  /** Reports what the run waits for, once after each turn. */
  tell(): Action[] {
    if (this.#isTold || !this.#underWay.isAlive) return [];
    this.#isTold = true;
    return [
      emit({ kind: 'notice', text: `${this.#name} is waiting for its background work: ${this.#names}.` }),
    ];
  }

  giveUp(): Action[] {
    const text = waitedLongEnough(this.#name, this.#setup, this.#names);
    return [emit({ kind: 'notice', text }), { do: 'end', cause: { reason: 'ok', message: text } }];
  }

  get #names(): string {
    return this.#underWay.names.join(', ').slice(0, MAX_NAMES_LENGTH) || 'unnamed';
  }
}

/** The tools with which the agent schedules its own wake-up. */
const WAKING = new Set(['CronCreate', 'ScheduleWakeup']);
const ENDED = new Set(['completed', 'failed', 'killed', 'stopped']);

export const isWakingTool = (name: string) => WAKING.has(name);

/** `task_started`, `task_updated` and `task_notification`. The CLI's own housekeeping does not count as the agent's work. */
export function changedTask(object: JsonRecord): TaskEvent | undefined {
  const id = text(object.task_id);
  if (id === undefined || object.skip_transcript === true) return undefined;
  switch (object.subtype) {
    case 'task_started':
      return { type: 'task', task: taskOf(id, object), isAlive: true };
    case 'task_notification': {
      // In older versions, an empty `output_file` is the only sign that the turn waited for the task.
      const isForeground = object.output_file === '' ? { isForeground: true } : {};
      return { type: 'task', task: { id, ...isForeground }, isAlive: false };
    }
    case 'task_updated': {
      const { status, is_backgrounded } = record(object.patch);
      if (typeof status === 'string' && ENDED.has(status))
        return { type: 'task', task: { id }, isAlive: false };
      const moved = is_backgrounded === true ? { isForeground: false } : {};
      return status === 'running' || is_backgrounded === true
        ? { type: 'task', task: { id, ...moved }, isAlive: true }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** `background_tasks_changed`, which newer versions send with everything that is running. */
export function liveTasks(object: JsonRecord): TasksEvent | undefined {
  if (object.subtype !== 'background_tasks_changed' || !Array.isArray(object.tasks)) return undefined;
  const alive = list(object.tasks).flatMap((entry) => {
    const id = isRecord(entry) && entry.ambient !== true ? text(entry.task_id) : undefined;
    return id === undefined ? [] : [taskOf(id, record(entry))];
  });
  return { type: 'tasks', alive };
}

export function sessionState(object: JsonRecord): StateEvent | undefined {
  if (object.subtype !== 'session_state_changed' || text(object.state) === undefined) return undefined;
  return { type: 'state', isIdle: object.state === 'idle' };
}

/** The result of a wake-up tool. A refused wake-up has the time 0. */
export function wakeUp(result: JsonRecord): WakeUpEvent | undefined {
  const { scheduledFor, nextFireAt } = result;
  const id = text(result.id);
  if (typeof scheduledFor === 'number' && scheduledFor > 0) {
    return { type: 'wake-up', id: 'wake-up', at: scheduledFor, description: 'a scheduled wake-up' };
  }
  if (id === undefined || text(result.humanSchedule) === undefined) return undefined;
  const at = typeof nextFireAt === 'number' ? { at: nextFireAt } : {};
  return { type: 'wake-up', id, ...at, description: `a scheduled task (${text(result.humanSchedule)})` };
}

function taskOf(id: string, object: JsonRecord): BackgroundTask {
  const isForeground = object.is_backgrounded === false ? { isForeground: true } : {};
  return { id, toolUseId: text(object.tool_use_id), description: text(object.description), ...isForeground };
}
