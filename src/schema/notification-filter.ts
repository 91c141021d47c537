import { type AskerKind, askerKind, askerLabel } from './asker.ts';
import type { Notification } from './notification.ts';

/** What somebody looks for among the notifications. */
export interface NotificationFilter {
  /** Words that must all occur. */
  text?: string | undefined;
  kind?: AskerKind | undefined;
}

/** A test for notifications. `wordsOf` returns the text to search: `notificationWords`. */
export function notificationTest(
  { text = '', kind }: NotificationFilter,
  wordsOf: (notification: Notification) => string,
): (notification: Notification) => boolean {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return (notification) => {
    if (kind !== undefined && askerKind(notification) !== kind) return false;
    if (words.length === 0) return true;
    const said = wordsOf(notification);
    return words.every((word) => said.includes(word));
  };
}

/** What a list shows of a notification: who asks, in which project, and the questions with their options. */
export function notificationWords(notification: Notification, projectName: string): string {
  const { id, sourceId, createdBy, questions } = notification;
  const asked = questions.flatMap(({ header = '', text, options = [] }) => [
    header,
    text,
    ...options.map(({ label }) => label),
  ]);
  const asker = [projectName, askerLabel(notification), id, sourceId, createdBy.actor.name];
  return fold([...asker, ...asked].join('\n'));
}

/** The same word in capitals, or written with other code points, is the same word. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
