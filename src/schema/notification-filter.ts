import { type AskerKind, askerKind, askerWords } from './asker.ts';
import type { Notification } from './notification.ts';

/** What somebody looks for among the notifications. */
export interface NotificationFilter {
  /** Words, all of which have to be there. */
  text?: string | undefined;
  kind?: AskerKind | undefined;
}

/** A test for notifications. Words are looked for in what a list of them shows: who asks where, and the questions with their options. */
export function notificationTest({
  text = '',
  kind,
}: NotificationFilter): (notification: Notification, projectName: string) => boolean {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return (notification, projectName) => {
    if (kind !== undefined && askerKind(notification) !== kind) return false;
    if (words.length === 0) return true;
    const said = fold(wordsOf(notification, projectName));
    return words.every((word) => said.includes(word));
  };
}

function wordsOf(notification: Notification, projectName: string): string {
  const { id, sourceId, createdBy, questions } = notification;
  return [
    ...[projectName, askerWords[askerKind(notification)], id, sourceId, createdBy.actor.name],
    ...questions.flatMap(({ header = '', text, options = [] }) => [
      header,
      text,
      ...options.map(({ label }) => label),
    ]),
  ].join('\n');
}

/** The same word in capitals, or written with other code points, is the same word. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
