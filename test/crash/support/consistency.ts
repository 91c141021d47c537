import type { Event } from '../../../src/schema/event.ts';
import { OPEN_QUESTION, type Task } from '../../../src/schema/task.ts';
import { answerTo, type Content } from './words.ts';

/** Inconsistencies in a project; empty if every transaction was stored completely or not at all. */
export function contradictions(content: Content): string[] {
  return [
    ...numbering(content),
    ...content.tasks.flatMap((task) => ofTask(content, task)),
    ...strays(content),
  ];
}

function numbering({ events, lastEvent }: Content): string[] {
  const gap = events.findIndex((event, index) => event.number !== index + 1);
  if (gap >= 0) return [`event ${events[gap]?.number} stands where ${gap + 1} should be`];
  return events.length === lastEvent
    ? []
    : [`the last event is ${events.length}, the project says ${lastEvent}`];
}

function ofTask(content: Content, task: Task): string[] {
  const asked = content.notifications.filter((notification) => notification.sourceId === task.id);
  const [notification] = asked;
  const history = content.events
    .filter((event) => sourceOf(event) === task.id)
    .map(({ type, data }) => ('status' in data && data.status === 'delivered' ? 'delivered' : type));
  const settled = notification !== undefined && notification.status !== 'open';
  const expected = [
    ...(notification ? ['notification.added'] : []),
    ...(settled ? ['notification.resolved'] : []),
    ...(notification?.status === 'delivered' ? ['delivered'] : []),
  ];
  const answers = settled ? [answerTo(task.id)] : [];
  const question = notification?.questions[0]?.text;
  const state = notification?.status === 'open' ? ['blocked', OPEN_QUESTION, null] : ['open', null, null];
  const told = content.events
    .flatMap((event) => (event.type === 'task.updated' && event.data.id === task.id ? [event.data] : []))
    .at(-1);
  return [
    ...differ(task, 'questions', asked.length, notification ? 1 : 0),
    ...differ(task, 'events', history, expected),
    ...differ(
      task,
      'responses',
      notification?.responses.map((r) => r.kind === 'answered' && r.answer) ?? [],
      answers,
    ),
    ...differ(
      task,
      'chat',
      content.chat.filter((message) => message.taskId === task.id).map((message) => message.text),
      answers.map((answer) => `${question}\n${answer}`),
    ),
    ...differ(
      task,
      'decisions',
      content.decisions
        .filter((decision) => decision.sourceId === task.id)
        .map((decision) => decision.answer),
      answers,
    ),
    ...differ(task, 'state', [task.status, task.blockReason, task.assignee], state),
    ...differ(
      task,
      'state that the events tell',
      [told?.status, told?.blockReason ?? null],
      state.slice(0, 2),
    ),
  ];
}

function sourceOf({ data }: Event): string | undefined {
  if ('notification' in data) return data.notification.sourceId;
  return 'sourceId' in data ? data.sourceId : undefined;
}

/** Rows of tasks that do not exist. */
function strays({ notifications, chat, decisions, tasks }: Content): string[] {
  const known = new Set(tasks.map((task) => task.id));
  const ids = [
    ...notifications.map((n) => n.sourceId),
    ...chat.map((c) => c.taskId),
    ...decisions.map((d) => d.sourceId),
  ];
  return ids.filter((id) => !known.has(id)).map((id) => `something belongs to ${id}, which is no task`);
}

function differ(task: Task, what: string, found: unknown, expected: unknown): string[] {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  return left === right ? [] : [`${task.id}: ${what} ${left}, expected ${right}`];
}
