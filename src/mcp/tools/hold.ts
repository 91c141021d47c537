import { handOver } from '../../ledger/hand-over.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput, Notification } from '../../schema/notification.ts';
import type { Asker } from '../asker.ts';
import type { ToolCall, ToolResult } from '../tool.ts';
import { askInClient } from './ask-in-client.ts';

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
  const { ledger, projectId, on, cwd, by } = asker;
  const resume = { agent: call.client, cwd, ...(toolCallId ? { toolCallId } : {}) };
  const { notification } = await ledger.notifications.create({ ...wanted, projectId, ...on, resume }, by);
  const over = new AbortController();
  if (inClient) void askInClient(asker, notification, call, AbortSignal.any([over.signal, call.signal]));
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
