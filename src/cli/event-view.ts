import type { Event } from '../schema/event.ts';
import { localTime } from './local-time.ts';
import { cut, oneLine } from './table.ts';

/** One event on one line: number, time, type, who through which channel, and what in a few words. */
export function describeEvent(event: Event): string {
  const { actor, channel } = event.by;
  const who = cut(oneLine(`${actor.kind === 'person' ? '' : `${actor.kind} `}${actor.name}`), 40);
  const number = String(event.number).padStart(5);
  return `${number}  ${localTime(event.at)}  ${event.type.padEnd(21)}  ${who} (${channel}): ${what(event)}`;
}

function what({ type, data }: Event): string {
  switch (type) {
    case 'notification.added':
      return asked(data);
    case 'notification.updated':
    case 'notification.resolved':
      return settled(data);
    case 'task.updated':
      return task(data);
    case 'settings.updated':
      return setting(data);
    case 'worktree.updated':
      return worktree(data);
    case 'consultation.updated':
      return `${data.id} (${data.role}${data.subject === data.id ? '' : `, ${few(data.subject)}`}) is ${data.status}`;
    case 'run.event':
      return run(data);
    default: {
      const never: never = type;
      return never;
    }
  }
}

function asked({ notification }: Event['data']): string {
  const {
    id,
    status,
    questions = [],
  } = notification as { id: string; status: string; questions: { text: string }[] };
  const more = questions.length > 1 ? ` (and ${questions.length - 1} more)` : '';
  return `${id} ${status === 'recorded' ? 'tells' : 'asks'}: ${few(questions[0]?.text)}${more}`;
}

function settled({ id, status, responses, reason, policy }: Event['data']): string {
  const isSaid = Array.isArray(responses) && responses.some(({ kind }) => kind === 'answered');
  const answers = isSaid ? `: ${few(responses.map(said).join('; '))}` : '';
  const why = reason ? ` (${few(reason)})` : '';
  return `${id} ${status}${policy ? ` by policy ${policy}` : ''}${answers}${why}`;
}

function said({ kind, answer }: { kind: string; answer?: unknown }): string {
  return kind === 'answered' ? [answer].flat().join(', ') : kind;
}

function task(data: Event['data']): string {
  const { id, title, status, blockReason, assignee, added, edited, dependsOn, message } = data;
  const name = `${id} "${few(title, 40)}"`;
  if (added) return `${name} was added`;
  if (Array.isArray(edited)) return `${name} has another ${edited.join(', ')}`;
  if (dependsOn) return `${name} waits for ${few(dependsOn)}`;
  if (message) return `${name}: ${few((message as { text: string }).text)}`;
  const more = blockReason ?? assignee;
  return `${name} is ${status}${more ? ` (${few(more)})` : ''}`;
}

function run({ id, kind, agent, sourceId, sessionId, holder, end, text, tool }: Event['data']): string {
  switch (kind) {
    case 'started':
      return `${id}: ${few(agent)} starts for ${few(sourceId)}`;
    case 'session':
      return `${id}: session ${few(sessionId)}`;
    case 'take':
      return `${id}: taken up by ${few(holder)}`;
    case 'wait':
      return `${id}: holds no process, waits`;
    case 'end':
      return `${id}: ended: ${few((end as { message?: unknown } | undefined)?.message)}`;
    case 'text':
      return `${id}: says ${few(text)}`;
    case 'tool':
      return `${id}: uses ${few(tool)}`;
    default:
      return `${id}: ${few(kind)}`;
  }
}

function worktree({ branch, state, archiveRef }: Event['data']): string {
  return `${few(branch)} is ${state}${archiveRef ? ` (${few(archiveRef)})` : ''}`;
}

function setting({ hilConfig, decisionId, ...other }: Event['data']): string {
  if (hilConfig && typeof hilConfig === 'object') {
    const levels = Object.entries(hilConfig).map(([name, level]) => `${name} ${level}`);
    return `hilConfig: ${levels.join(', ')}`;
  }
  return decisionId ? `decision ${decisionId} stands no longer` : few(JSON.stringify(other));
}

function few(value: unknown, columns = 80): string {
  return cut(oneLine(String(value ?? '')), columns);
}
