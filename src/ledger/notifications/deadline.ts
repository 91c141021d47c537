/** Whether the time has come, in milliseconds since 1970; null is never due. */
export function isDue(deadline: number | null): boolean {
  return deadline !== null && deadline <= Date.now();
}

/** Resolves at a change or at the deadline. */
export async function changedOrDue(changed: Promise<void>, deadline: number | null): Promise<void> {
  if (deadline === null) return changed;
  const left = deadline - Date.now();
  // The store's clock decides, and it may be behind ours, so after waking too early we wait a little before checking again.
  // setTimeout takes at most 2^31 - 1 ms; a later deadline is checked again then.
  const delay = Math.min(Math.max(left, 10), 2 ** 31 - 1);
  let alarm: NodeJS.Timeout | undefined;
  const due = new Promise<void>((resolve) => {
    alarm = setTimeout(resolve, delay);
  });
  await Promise.race([changed, due]).finally(() => clearTimeout(alarm));
}
