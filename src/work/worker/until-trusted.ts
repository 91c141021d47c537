import type { Ledger } from '../../ledger/ledger.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { HeldTask } from '../run/task-loop.ts';

/**
 * Opens what a task needs. If a person has to accept its content first, only this task waits for the answer in the
 * inbox. Undefined if the worker stops before that.
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
      if (asked.notifications.length === 0) throw error;
      const { notifications, project = task.projectId } = asked;
      onHold(true);
      for (const id of notifications) await ledger.notifications.wait(project, id, signal);
      onHold(false);
      if (signal.aborted) return undefined;
    }
  }
}

interface Asked {
  notifications: string[];
  /** A configuration is trusted for the folder's own project. */
  project?: string;
}

function askedFor(error: unknown): Asked {
  const isAsked = error instanceof Refusal && error.type === 'needs_approval';
  return { notifications: [], ...(isAsked ? (error.details as Partial<Asked> | undefined) : {}) };
}
