import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';
import { asked } from './asked.ts';
import { answerInTerminal, type TerminalIo } from './terminal.ts';

/**
 * Asks the questions of one asker in this terminal, open ones first, until the signal. Resolves to true if the person
 * interrupted it.
 */
export async function attend(
  ledger: Ledger,
  projectId: string,
  concerns: (notification: Notification) => boolean,
  by: By,
  io: TerminalIo,
  signal: AbortSignal,
  onAsking: (asking: boolean) => void,
): Promise<boolean> {
  for await (const found of asked(ledger, projectId, concerns, signal)) {
    let notification = found;
    // A person who accepted the agent's proposal has nothing more to answer.
    let isAccepted = false;
    while (notification.status === 'open' && !isAccepted) {
      onAsking(true);
      const { interrupted } = await answerInTerminal(ledger, [notification], by, io, signal);
      onAsking(false);
      if (interrupted) return true;
      if (signal.aborted) return false;
      const now = await ledger.notifications.get(projectId, found.id);
      isAccepted = notification.proposal !== undefined && now.proposal === undefined;
      notification = now;
    }
  }
  return false;
}
