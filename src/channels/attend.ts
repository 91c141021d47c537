import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';
import { answerInTerminal, type TerminalIo } from './terminal.ts';

/**
 * Asks the questions of one asker in this terminal as they come, until the signal. Resolves to true when the person
 * broke it off.
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
  const { lastEvent } = await ledger.projects.get(projectId);
  for await (const event of ledger.events.watch(projectId, lastEvent, signal)) {
    if (event.type !== 'notification.added') continue;
    const { id } = event.data.notification as Notification;
    for (;;) {
      const notification = await ledger.notifications.get(projectId, id);
      if (notification.status !== 'open' || !concerns(notification)) break;
      onAsking(true);
      const { interrupted } = await answerInTerminal(ledger, [notification], by, io, signal);
      onAsking(false);
      if (interrupted) return true;
      if (signal.aborted) return false;
    }
  }
  return false;
}
