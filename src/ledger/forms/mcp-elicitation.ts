import type { Question } from '../../schema/question.ts';
import { readForm } from './elicitation-form.ts';
import { type ElicitationForm, writeForm } from './elicitation-writer.ts';

/**
 * Our questions as the parameters of MCP's `elicitation/create`. A choice has `const` and `title` only, its
 * description being part of the title: strict clients (Codex) refuse a form with anything more in it.
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
