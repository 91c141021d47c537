import { fromElicitationResult } from '../../ledger/forms/elicitation-result.ts';
import { toMcpElicitation } from '../../ledger/forms/mcp-elicitation.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { ToolCall } from '../tool.ts';

/**
 * The client is one more place to answer, where it shows forms and a person sits at it. What is not answered there stays
 * open everywhere else; the form is taken back when somebody else was first.
 */
export async function askInClient(
  { ledger, person, report }: Asker,
  { projectId, id, status, questions, responses }: Notification,
  { elicit }: ToolCall,
  signal: AbortSignal,
): Promise<void> {
  if (!elicit || !person || status !== 'open') return;
  const open = questions.filter(
    (question) => !responses.some(({ questionId }) => questionId === question.id),
  );
  try {
    const form = toMcpElicitation(open);
    const said = fromElicitationResult(form, await elicit(form, signal));
    // A client that has nobody to show it to declines by itself: that is no person's word.
    if (said && 'responses' in said) await ledger.notifications.resolve(projectId, id, said, person);
  } catch (error) {
    if (!isOver(error)) report(error);
  }
}

/** Somebody else was first. */
const isOver = (error: unknown) =>
  error instanceof FermataError && (error.code === 'gone' || error.code === 'conflict');
