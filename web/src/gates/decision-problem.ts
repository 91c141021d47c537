import type { Notification } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';
import { type Draft, entryOf, required } from '../inbox/draft.ts';

/** What is missing in the decision about a gate; undefined when nothing is. Of several variants exactly one is merged. */
export function decisionProblem(notification: Notification, draft: Draft): string | undefined {
  if (!notification.gate) return undefined;
  const decisive = required(notification);
  const undecided = decisive.filter((question) => entryOf(draft, question).picks.length === 0);
  if (notification.gate.kind === 'variants') return variantsProblem(decisive, undecided, draft);
  const [first] = undecided;
  return first && `Pick ${(first.options ?? []).map(({ label }) => label).join(' or ')}, too.`;
}

function variantsProblem(
  variants: readonly Question[],
  undecided: readonly Question[],
  draft: Draft,
): string | undefined {
  if (undecided.length > 0) return `Decide about ${undecided.map(({ id }) => id).join(', ')} too.`;
  const main = variants.filter((question) => entryOf(draft, question).picks.includes('main'));
  if (main.length === 1) return undefined;
  return main.length === 0
    ? 'Choose one variant as main: it is the one that is merged.'
    : `Only one variant can be main, not ${main.map(({ id }) => id).join(' and ')}.`;
}
