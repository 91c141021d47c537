import type { Notification } from '../../schema/notification.ts';

export function isDue(notification: Notification): boolean {
  return notification.deadlineAt !== undefined && Date.parse(notification.deadlineAt) <= Date.now();
}

/** Resolves at a change, or when the deadline has come. */
export async function changedOrDue(changed: Promise<void>, deadlineAt: string | undefined): Promise<void> {
  if (deadlineAt === undefined) return changed;
  const left = Date.parse(deadlineAt) - Date.now();
  // The store's clock decides, and it may be behind ours: who is too early looks again soon, not at once.
  // setTimeout takes at most 2^31 - 1 ms; a later deadline is looked at again then.
  const delay = Math.min(Math.max(left, 10), 2 ** 31 - 1);
  let alarm: NodeJS.Timeout | undefined;
  const due = new Promise<void>((resolve) => {
    alarm = setTimeout(resolve, delay);
  });
  await Promise.race([changed, due]).finally(() => clearTimeout(alarm));
}
