import { fromElicitationResult } from '../../ledger/forms/elicitation-result.ts';
import type { ElicitationForm } from '../../ledger/forms/elicitation-writer.ts';
import { toMcpElicitation } from '../../ledger/forms/mcp-elicitation.ts';
import { asOffered } from '../../ledger/forms/offered-options.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { Forms } from '../tool.ts';

/** The open questions of a notification, as a form for the person who uses the client. */
export function clientForm({ questions, responses }: Notification): ElicitationForm {
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  return toMcpElicitation(open.map(asOffered));
}

/** Shows the form in addition to all other places to answer, and closes it when somebody else was first. */
export async function askInClient(
  asker: Asker,
  asked: Notification,
  { show }: Extract<Forms, { kind: 'sent' }>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await answerFromForm(asker, asked, await show(clientForm(asked), signal));
  } catch (error) {
    if (!signal.aborted) asker.report(error);
  }
}

/** What was not answered in the form stays open elsewhere. */
export async function answerFromForm(
  { ledger, person, report }: Asker,
  asked: Notification,
  result: unknown,
): Promise<void> {
  if (!person) return;
  try {
    const said = fromElicitationResult(clientForm(asked), result);
    // A client without a person declines by itself, which is not a person's decision.
    if (said && 'responses' in said)
      await ledger.notifications.resolve(asked.projectId, asked.id, said, person);
  } catch (error) {
    if (!isOver(error)) report(error);
  }
}

/** Somebody else was first. */
const isOver = (error: unknown) =>
  error instanceof FermataError && (error.code === 'gone' || error.code === 'conflict');
