import type { By } from '../../../src/schema/actor.ts';
import type { Notification, Response } from '../../../src/schema/notification.ts';
import type { Answer } from '../../../src/schema/question.ts';
import { questionTitle } from '../../../src/schema/question-title.ts';
import { visibleProse } from '../../../src/schema/visible.ts';
import { answerWords, viewOf } from '../../../src/text/question-view.ts';
import { plainText } from './markdown.ts';

const STEPS = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1000, unit: 's' },
] as const;

/** "3 d 4 h", "12 min", "8 s". */
export function duration(ms: number): string {
  const at = STEPS.findIndex((step) => ms >= step.ms);
  const step = STEPS[at];
  if (!step) return '0 s';
  const first = `${Math.floor(ms / step.ms)} ${step.unit}`;
  const next = STEPS[at + 1];
  const rest = next ? Math.floor((ms % step.ms) / next.ms) : 0;
  return next && rest > 0 && step.unit !== 'min' ? `${first} ${rest} ${next.unit}` : first;
}

export const answerText = (answer: Answer): string => visibleProse(answerWords(answer));

export function responseText(response: Response): string {
  switch (response.kind) {
    case 'answered':
      return answerText(response.answer);
    case 'skipped':
      return 'Skipped: the asker decides';
    case 'dismissed':
      return `Dismissed: ${response.reason}`;
    default: {
      const never: never = response;
      return never;
    }
  }
}

/** "ann on the page", "policy default". */
export function who({ actor, channel }: By): string {
  if (actor.kind === 'policy') return `policy ${actor.name}`;
  const places: Partial<Record<By['channel'], string>> = {
    web: 'on this page',
    rest: 'through the API',
    terminal: 'in a terminal',
    desk: 'at the desk',
    command: 'with fermata answer',
    'gate-file': 'in the gate file',
  };
  return `${actor.name} ${places[channel] ?? `(${channel})`}`;
}

/** Who asked; the channel does not matter to a person. */
export function askedBy({ actor }: By): string {
  return actor.kind === 'agent' ? `agent ${actor.name}` : actor.name;
}

/** Who has a task. A worker's name begins with its machine; the process does not matter to a person. */
export const holderWords = (assignee: string): string => assignee.split('/', 1)[0] ?? assignee;

/** How the page says how long something takes; with `now`, deadlines are the time that is left. */
export const clock = (now?: number) => ({ duration: (seconds: number) => duration(seconds * 1000), now });

/** What happens if nobody answers, for all questions together. */
export function silence(notification: Notification, now: number): string {
  const each = viewOf(notification, clock(now)).questions.flatMap((view) => view.silence ?? []);
  return visibleProse([...new Set(each)].join(' ') || 'If nobody answers, the question stays open.');
}

/** Every list cuts longer titles. */
const MAX_TITLE_LENGTH = 400;

/** Without Markdown, because lists show plain text. */
export const oneLine = (text: string): string => plainText(visibleProse(text.slice(0, MAX_TITLE_LENGTH)));

/** A notification in one line, for lists. */
export function titleOf({ questions, gate }: Notification): string {
  if (gate?.kind === 'variants') return `Which variant of phase ${gate.phase ?? ''} should be main?`;
  const [first] = questions;
  return first?.verbatim ? questionTitle(first) : oneLine(first?.text ?? '');
}
