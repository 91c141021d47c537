import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { approachesOf, type Draft, entryOf, isFilled, required, unsettled } from '../inbox/draft.ts';
import { wordsAfter } from './words-after.ts';

/** What is missing in the decision about a gate; undefined if nothing is. Exactly one of several variants is merged. */
export function decisionProblem(notification: Notification, draft: Draft): string | undefined {
  if (!notification.gate) return undefined;
  const decisive = required(notification);
  const undecided = decisive.filter((question) => entryOf(draft, question).picks.length === 0);
  if (notification.gate.kind === 'variants') return variantsProblem(decisive, undecided, draft);
  const [first] = undecided;
  if (first) return `Choose ${(first.options ?? []).map(({ label }) => label).join(' or ')}.`;
  const open = approachesOf(notification).filter((question) => !isFilled(entryOf(draft, question)));
  if (open.length > 0) return `Accept, change or reject ${open.map(({ id }) => id).join(', ')}.`;
  return lacksWords(notification, draft) ? 'Say what needs to change.' : undefined;
}

/** Words anywhere count, for one approach or in logs. */
function lacksWords(notification: Notification, draft: Draft): boolean {
  const left = unsettled(notification);
  const picks = left.flatMap((question) => entryOf(draft, question).picks);
  const needed = picks.some((pick) => wordsAfter(notification, pick) !== undefined);
  return needed && left.every((question) => entryOf(draft, question).text.trim() === '');
}

function variantsProblem(
  variants: readonly Question[],
  undecided: readonly Question[],
  draft: Draft,
): string | undefined {
  if (undecided.length > 0) return `Decide on ${undecided.map(({ id }) => id).join(', ')} as well.`;
  const main = variants.filter((question) => entryOf(draft, question).picks.includes('main'));
  if (main.length === 1) return undefined;
  return main.length === 0
    ? 'Choose one variant as main. That one is merged.'
    : `Only one variant can be main, not ${main.map(({ id }) => id).join(' and ')}.`;
}
