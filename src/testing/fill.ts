import type { Given } from './session-log.ts';

/** What `{{…}}` in a scenario's texts stands for. */
export interface Filling {
  given: readonly Given[];
  prompt: string;
  sessionId: string;
}

const NO_ANSWER = '(no answer)';

/**
 * Fills in a text: `{{answer:ID}}` (the question's id in the scenario, its full text, or if it
 * has no id Q1, Q2 … in the order of asking), `{{answer}}` for the latest, `{{prompt}}`, `{{session}}`.
 */
export function fill(text: string, filling: Filling): string {
  return text.replace(/\{\{(answer|prompt|session)(?::([^}]+))?\}\}/g, (_, name: string, key?: string) => {
    if (name === 'prompt') return filling.prompt;
    if (name === 'session') return filling.sessionId;
    if (key === undefined) return filling.given.at(-1)?.answer ?? NO_ANSWER;
    return answerTo(key.trim(), filling.given) ?? NO_ANSWER;
  });
}

/**
 * The answers as variables for a shell command, which never contains them itself: ANSWER_ID, with `_` for everything
 * but letters and digits.
 */
export function answerVariables(given: readonly Given[]): Record<string, string> {
  return Object.fromEntries(
    given.map(({ questionId, answer }) => [`ANSWER_${questionId.replace(/\W/g, '_')}`, answer]),
  );
}

function answerTo(key: string, given: readonly Given[]): string | undefined {
  return given.findLast(({ questionId, question }) => questionId === key || question === key)?.answer;
}
