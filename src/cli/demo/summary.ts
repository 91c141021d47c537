import { describeAnswer } from '../../channels/present.ts';
import { counted } from '../../schema/counted.ts';
import type { Decision } from '../../schema/decision.ts';
import type { Event } from '../../schema/event.ts';
import type { Notification } from '../../schema/notification.ts';
import { visible } from '../../schema/visible.ts';
import { describeDuration } from '../../text/duration.ts';

export interface DemoSummary {
  asked: { question: string; answer: string; by: string; channel: string; waited_seconds: number }[];
  /** Recorded decisions: the same question is not asked again. */
  decided: { question: string; answer: string }[];
  done: string[];
  /** How long at least one question was open. */
  waited_seconds: number;
}

/** What was asked, answered, decided and done, from the project's events alone. */
export function summarize(events: Event[], decisions: Decision[]): DemoSummary {
  const open = new Map<
    string,
    { at: string; notification: Pick<Notification, 'sourceId' | 'questions' | 'gate'> }
  >();
  const asked: DemoSummary['asked'] = [];
  const done: string[] = [];
  const setAside = new Set<string>();
  const waits: [from: number, to: number][] = [];
  for (const event of events) {
    const { at, by } = event;
    if (event.type === 'notification.added') {
      const { notification } = event.data;
      open.set(notification.id, { at, notification });
    }
    if (event.type === 'notification.resolved') {
      const was = open.get(event.data.id);
      const wait: [number, number] = [Date.parse(was?.at ?? at), Date.parse(at)];
      waits.push(wait);
      for (const response of event.data.responses ?? []) {
        if (response.kind !== 'answered') continue;
        if (was?.notification.gate?.kind === 'variants' && response.answer !== 'main')
          setAside.add(`${was.notification.sourceId}-${response.questionId}`);
        asked.push({
          question: was?.notification.questions.find(({ id }) => id === response.questionId)?.text ?? '',
          answer: describeAnswer(response.answer),
          by: by.actor.name,
          channel: by.channel,
          waited_seconds: Math.max(0, (wait[1] - wait[0]) / 1000),
        });
      }
    }
    if (event.type !== 'task.updated' || event.data.kind !== 'phase') continue;
    const { id, title, status } = event.data;
    if (status === 'closed' && !setAside.has(id)) done.push(title);
  }
  const decided = decisions
    .filter(({ notificationId }) => open.has(notificationId))
    .map(({ question, answer }) => ({ question, answer: describeAnswer(answer) }));
  return { asked, decided, done, waited_seconds: union(waits) / 1000 };
}

/** Two questions open at the same time count once. */
function union(spans: [from: number, to: number][]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}

export function summaryText({ asked, decided, done, waited_seconds }: DemoSummary): string {
  const questions = asked.flatMap(({ question, answer, by, channel, waited_seconds }) => [
    `  ? ${visible(question)}`,
    `    ${visible(answer)}  (${by}, ${channel}, after ${describeDuration(waited_seconds)})`,
  ]);
  return [
    asked.length > 0 ? 'Asked and answered:' : 'No question was necessary.',
    ...questions,
    `Decided: ${counted(decided.length, 'decision')} on record. Questions were open for ${describeDuration(waited_seconds)} in total.`,
    'Done:',
    ...done.map((title) => `  ✓ ${visible(title)}`),
  ].join('\n');
}
