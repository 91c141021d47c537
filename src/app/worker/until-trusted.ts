import type { Ledger } from '../../ledger/ledger.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';

/**
 * Opens what a task needs. If a person has to accept its content first, only this task waits for the answer in the inbox;
 * undefined if it is stopped before.
 */
export async function untilTrusted<T>(
  ledger: Ledger,
  { task, signal, onHold }: HeldTask,
  open: () => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const asked = askedFor(error);
      if (asked.length === 0) throw error;
      onHold(true);
      for (const id of asked) await ledger.notifications.wait(task.projectId, id, signal);
      onHold(false);
      if (signal.aborted) return undefined;
    }
  }
}

function askedFor(error: unknown): string[] {
  if (!(error instanceof Refusal) || error.type !== 'needs_approval') return [];
  return (error.details as { notifications?: string[] } | undefined)?.notifications ?? [];
}
