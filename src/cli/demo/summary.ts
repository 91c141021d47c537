import { describeAnswer } from '../../channels/present.ts';
import { printable } from '../../channels/printable.ts';
import { describeDuration } from '../../config/duration.ts';
import type { Event } from '../../schema/event.ts';
import type { Notification, Response } from '../../schema/notification.ts';

export interface DemoSummary {
  asked: { question: string; answer: string; by: string; channel: string; waited_seconds: number }[];
  done: string[];
}

/** What was asked, answered and done, told from the project's history alone. */
export function summarize(events: Event[]): DemoSummary {
  const open = new Map<string, { at: string; notification: Notification }>();
  const summary: DemoSummary = { asked: [], done: [] };
  for (const { type, at, by, data } of events) {
    if (type === 'notification.added') {
      const notification = data.notification as Notification;
      open.set(notification.id, { at, notification });
    }
    if (type === 'notification.resolved') {
      const asked = open.get(String(data.id));
      for (const response of (data.responses ?? []) as Response[]) {
        if (response.kind !== 'answered') continue;
        summary.asked.push({
          question: asked?.notification.questions.find(({ id }) => id === response.questionId)?.text ?? '',
          answer: describeAnswer(response.answer),
          by: by.actor.name,
          channel: by.channel,
          waited_seconds: Math.max(0, (Date.parse(at) - Date.parse(asked?.at ?? at)) / 1000),
        });
      }
    }
    if (type === 'task.updated' && data.status === 'closed') summary.done.push(String(data.title));
  }
  return summary;
}

export function summaryText({ asked, done }: DemoSummary): string {
  const lines = asked.flatMap(({ question, answer, by, channel, waited_seconds }) => [
    `asked     ${printable(question)}`,
    `answered  ${printable(answer)} (${by}, ${channel}, after ${describeDuration(waited_seconds)})`,
  ]);
  return [...lines, ...done.map((title) => `done      ${printable(title)}`)].join('\n');
}
