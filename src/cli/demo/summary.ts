import { describeAnswer } from '../../channels/present.ts';
import { printable } from '../../channels/printable.ts';
import { describeDuration } from '../../config/duration.ts';
import type { Event } from '../../schema/event.ts';
import type { Notification, Response } from '../../schema/notification.ts';

/** What happened, told from the project's history alone. */
export function summarize(events: Event[]): string[] {
  const asked = new Map<string, { at: string; notification: Notification }>();
  const lines: string[] = [];
  for (const { type, at, by, data } of events) {
    if (type === 'notification.added') {
      const notification = data.notification as Notification;
      asked.set(notification.id, { at, notification });
    }
    if (type === 'notification.resolved') {
      const question = asked.get(String(data.id));
      const waited = describeDuration((Date.parse(at) - Date.parse(question?.at ?? at)) / 1000);
      for (const response of (data.responses ?? []) as Response[]) {
        const text = question?.notification.questions.find((q) => q.id === response.questionId)?.text ?? '';
        const said = response.kind === 'answered' ? describeAnswer(response.answer) : response.kind;
        lines.push(`asked     ${printable(text)}`);
        lines.push(`answered  ${said} (${by.actor.name}, ${by.channel}, after ${waited})`);
      }
    }
    if (type === 'task.updated' && data.status === 'closed')
      lines.push(`done      ${printable(String(data.title))}`);
  }
  return lines;
}
