import { type FormQuestion, readForm } from '../../ledger/forms/elicitation-form.ts';
import { resultOfForm } from '../../ledger/forms/elicitation-result.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import { askedBy } from './asked-by.ts';
import { serverOf } from './elicitation.ts';
import { type Form, readable } from './form.ts';

/** Room in a notification for who asks. */
const MARGIN = 64 * 1024;
/** How much of the raw form is shown if it cannot be displayed. */
const MAX_SHOWN = 64 * 1024;

/** The form of an MCP server. If it cannot be displayed, the person is told so and can only decline it. */
export function elicitationForm(request: unknown): Form {
  const form = readable(() => {
    const asked = readForm(request, new Date().toISOString());
    const questions = fitting(asked.map(({ question }) => question));
    return {
      questions: askedBy(questions, 'MCP server', nameOf(request)),
      reply: (settled) => ({ result: resultOf(asked, settled) }),
    };
  });
  return typeof form === 'string' ? unreadable(request, form) : form;
}

function fitting<T>(questions: T[]): T[] {
  const bytes = Buffer.byteLength(JSON.stringify(questions));
  if (questions.length <= limits.questions && bytes <= limits.notificationBytes - MARGIN) return questions;
  throw new FermataError('invalid', `It is too large: ${questions.length} fields, ${bytes} bytes.`);
}

function unreadable(request: unknown, why: string): Form {
  const text = JSON.stringify(request, null, 2) ?? '';
  const isCut = text.length > MAX_SHOWN;
  const verbatim = [
    { label: 'server', text: nameOf(request) },
    { label: isCut ? 'beginning of the form (JSON)' : 'form (JSON)', text: text.slice(0, MAX_SHOWN) },
    { label: 'why it cannot be shown', text: why },
  ];
  return {
    questions: [{ id: 'form', text: UNREADABLE, verbatim, options: ['Decline'] }],
    reply: ({ responses }) => ({ result: { action: responses.length > 0 ? 'decline' : 'cancel' } }),
  };
}

const UNREADABLE = 'An MCP server asks for something that Fermata cannot show as a form. Decline it?';

function resultOf(asked: FormQuestion[], settled: Notification): object {
  try {
    return resultOfForm(asked, settled);
  } catch {
    return { action: 'cancel' };
  }
}

const nameOf = (request: unknown) => serverOf(request) ?? 'without a name';
