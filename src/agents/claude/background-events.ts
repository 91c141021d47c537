import type { BackgroundTask, StateEvent, TaskEvent, TasksEvent, WakeUpEvent } from '../stream/events.ts';
import { isRecord, type JsonRecord, list, record, text } from '../stream/fields.ts';

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
