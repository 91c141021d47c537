import type { Notification } from '../../../src/schema/notification.ts';
import { type Draft, entryOf, unsettled } from '../inbox/draft.ts';

/** Why the picks of a gate do not fit together yet; undefined when they do. Of several variants exactly one is merged. */
export function decisionProblem(notification: Notification, draft: Draft): string | undefined {
  if (notification.gate?.kind !== 'variants') return undefined;
  const variants = unsettled(notification).filter(({ options }) => options && options.length > 0);
  const undecided = variants.filter((question) => entryOf(draft, question).picks.length === 0);
  if (undecided.length > 0) return `Decide about ${undecided.map(({ id }) => id).join(', ')} too.`;
  const main = variants.filter((question) => entryOf(draft, question).picks.includes('main'));
  if (main.length === 1) return undefined;
  return main.length === 0
    ? 'Choose one variant as main: it is the one that is merged.'
    : `Only one variant can be main, not ${main.map(({ id }) => id).join(' and ')}.`;
}
