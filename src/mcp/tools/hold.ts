import { fromElicitationResult } from '../../ledger/forms/elicitation-result.ts';
import { toMcpElicitation } from '../../ledger/forms/mcp-elicitation.ts';
import { handOver } from '../../ledger/hand-over.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput, Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { ToolCall, ToolResult } from '../tool.ts';

export interface Wanted extends Pick<CreateInput, 'source' | 'questions'> {
  toolCallId?: string;
  /** Whether the client may show it to the person itself. */
  inClient?: true;
}

/** Stores the question, waits as long as it takes, and marks it delivered once the result is on its way. */
export async function hold(
  asker: Asker,
  call: ToolCall,
  { toolCallId, inClient, ...wanted }: Wanted,
  give: (settled: Notification) => ToolResult,
): Promise<ToolResult> {
  const { ledger, projectId, sourceId, cwd, by, person } = asker;
  const resume = { agent: call.client, cwd, ...(toolCallId ? { toolCallId } : {}) };
  const { notification } = await ledger.notifications.create({ ...wanted, projectId, sourceId, resume }, by);
  const over = new AbortController();
  const { elicit } = call;
  if (inClient && elicit && person)
    void askInClient(asker, notification, person, (form) =>
      elicit(form, AbortSignal.any([over.signal, call.signal])),
    );
  const settled = await ledger.notifications
    .wait(projectId, notification.id, call.signal)
    .finally(() => over.abort());
  if (!settled) {
    // A permission is for a process that waits for it; a question can be asked for later.
    if (wanted.source === 'approval') {
      await ledger.notifications.withdraw(
        projectId,
        notification.id,
        'The agent no longer waits for it.',
        by,
      );
    }
    throw new FermataError(
      'unavailable',
      `Nobody has answered yet; question ${notification.id} stays open. Ask get_answer for it later.`,
    );
  }
  const sent = () => handOver(ledger, settled, async () => true, by);
  return { ...give(settled), sent };
}

/** The client is one more place to answer. What is not answered there stays open everywhere else. */
async function askInClient(
  { ledger, report }: Asker,
  { projectId, id, questions, responses }: Notification,
  person: By,
  elicit: (form: object) => Promise<unknown>,
): Promise<void> {
  const open = questions.filter(
    (question) => !responses.some(({ questionId }) => questionId === question.id),
  );
  try {
    const form = toMcpElicitation(open);
    const said = fromElicitationResult(form, await elicit(form));
    // A client that has nobody to show it to declines by itself: that is no person's word.
    if (said && 'responses' in said) await ledger.notifications.resolve(projectId, id, said, person);
  } catch (error) {
    if (!isOver(error)) report(error);
  }
}

/** Somebody else was first. */
const isOver = (error: unknown) =>
  error instanceof FermataError && (error.code === 'gone' || error.code === 'conflict');
