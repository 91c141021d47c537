import type {
  Event,
  NotificationChange,
  RunChange,
  SettingsChange,
  TaskChange,
  WorktreeChange,
} from '../schema/event.ts';
import type { Notification, Response } from '../schema/notification.ts';
import { questionTitle } from '../schema/question-title.ts';
import { localTime } from './local-time.ts';
import { cut, oneLine } from './table.ts';

/** One event on one line: number, time, type, who acted through which channel, and a short description. */
export function describeEvent(event: Event): string {
  const { actor, channel } = event.by;
  const who = cut(oneLine(`${actor.kind === 'person' ? '' : `${actor.kind} `}${actor.name}`), 40);
  const number = String(event.number).padStart(5);
  return `${number}  ${localTime(event.at)}  ${event.type.padEnd(21)}  ${who} (${channel}): ${what(event)}`;
}

function what(event: Event): string {
  switch (event.type) {
    case 'notification.added':
      return asked(event.data.notification);
    case 'notification.updated':
    case 'notification.resolved':
      return settled(event.data);
    case 'task.updated':
      return task(event.data);
    case 'settings.updated':
      return setting(event.data);
    case 'worktree.updated':
      return worktree(event.data);
    case 'run.event':
      return run(event.data);
    default: {
      const never: never = event;
      return never;
    }
  }
}

function asked({ id, status, questions }: Pick<Notification, 'id' | 'status' | 'questions'>): string {
  const [first] = questions;
  const more = questions.length > 1 ? ` (and ${questions.length - 1} more)` : '';
  return `${id} ${status === 'recorded' ? 'reports' : 'asks'}: ${few(first && questionTitle(first))}${more}`;
}

function settled({ id, status, responses = [], reason, policy, accepted }: NotificationChange): string {
  if (accepted) return `${id} ${status}, the proposal (${accepted.kind}) was accepted`;
  const isSaid = responses.some(({ kind }) => kind === 'answered');
  const answers = isSaid ? `: ${few(responses.map(said).join('; '))}` : '';
  const why = reason ? ` (${few(reason)})` : '';
  return `${id} ${status}${policy ? ` by policy ${policy}` : ''}${answers}${why}`;
}

const said = (response: Response) =>
  response.kind === 'answered' ? [response.answer].flat().join(', ') : response.kind;

function task(data: TaskChange): string {
  const { id, title, status, blockReason, assignee, added, edited, dependsOn, message, needs, paused } = data;
  const name = `${id} "${few(title, 40)}"`;
  if (paused !== undefined) return `${id} is ${paused ? 'paused' : 'resumed'}`;
  if (needs === null) return `${id} is no longer queued for workers`;
  if (needs) return `${id} is queued for workers${needs.length > 0 ? ` with ${needs.join(', ')}` : ''}`;
  if (added) return `${name} was added`;
  if (edited) return `${name}: ${edited.join(', ')} changed`;
  if (dependsOn) return `${name} waits for ${few(dependsOn)}`;
  if (message?.delivery === 'delivered' || message?.delivery === 'read')
    return `${name}: its agent ${message.delivery === 'read' ? 'has read' : 'got'} "${few(message.text)}"`;
  if (message) return `${name}: ${few(message.text)}`;
  const more = blockReason ?? assignee;
  return `${name} is ${status}${more ? ` (${few(more)})` : ''}`;
}

function run(data: RunChange): string {
  const { id } = data;
  switch (data.kind) {
    case 'started':
      return `${id}: ${few(data.agent)} starts for ${few(data.sourceId)}`;
    case 'session':
      return `${id}: session ${few(data.sessionId)}`;
    case 'take':
      return `${id}: continued by ${few(data.holder)}`;
    case 'wait':
      return `${id}: parked until its question is answered`;
    case 'end':
      return `${id}: ended: ${few(data.end?.message)}`;
    case 'text':
      return `${id}: says ${few(data.text)}`;
    case 'tool':
      return `${id}: uses ${few(data.tool)}`;
    case 'message':
      return `${id}: ${few(data.message.by.actor.name)} says ${few(data.message.text)} (${data.message.delivery})`;
    case 'usage':
      return `${id}: usage`;
    default: {
      const never: never = data;
      return never;
    }
  }
}

function worktree({ branch, state, archiveRef }: WorktreeChange): string {
  return `${few(branch)} is ${state}${archiveRef ? ` (${few(archiveRef)})` : ''}`;
}

function setting(data: SettingsChange): string {
  if ('hilConfig' in data) {
    const levels = Object.entries(data.hilConfig).map(([name, level]) => `${name} ${level}`);
    return `hilConfig: ${levels.join(', ')}`;
  }
  if ('acceptedRemote' in data) return `clones from ${few(data.acceptedRemote)} belong to the project`;
  return 'decisionId' in data ? `decision ${data.decisionId} is revoked` : few(JSON.stringify(data));
}

function few(value: unknown, columns = 80): string {
  return cut(oneLine(String(value ?? '')), columns);
}
