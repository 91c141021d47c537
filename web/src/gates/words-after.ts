import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { unsettled } from '../inbox/draft.ts';

/** "changes" alone helps nobody, so this question must be answered before it is sent. */
export function wordsAfter(notification: Notification, pick: string): Question | undefined {
  if (!notification.gate || pick !== 'changes') return undefined;
  return unsettled(notification).find(({ id }) => id === 'refinements' || id === 'changes');
}
