import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';

/** The form of a question in a file: true or false, a decision about a variant, a review of an approach, a text. */
export type Field = 'verdict' | 'variant' | 'approach' | 'text' | 'answer';

/** Texts that every gate of findings has; its other questions are its approaches. */
const general = new Set(['thoughts', 'changes']);

export function fieldOf({ gate }: Pick<Notification, 'gate'>, { id, options }: Question): Field {
  if (!gate) return 'answer';
  if (options) return gate.kind === 'variants' ? 'variant' : 'verdict';
  return gate.kind === 'findings' && !general.has(id) ? 'approach' : 'text';
}
