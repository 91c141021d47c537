import type { Question } from '../../schema/question.ts';
import { readForm } from './elicitation-form.ts';
import { type ElicitationForm, writeForm } from './elicitation-writer.ts';

/**
 * Our questions as the parameters of MCP's `elicitation/create`. A choice has only `const` and `title`, with the
 * description in the title, because strict clients (Codex) refuse anything more.
 */
export function toMcpElicitation(questions: readonly Question[], message?: string): ElicitationForm {
  return writeForm(
    questions,
    { names: 'id', otherSuffix: '_other', description: 'title', codex: false },
    message,
  );
}

/** The questions of an MCP form, ours or another server's. */
export function fromMcpElicitation(params: unknown, at: string): Question[] {
  return readForm(params, at).map(({ question }) => question);
}
