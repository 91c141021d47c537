/** A version as its numbers, for comparing. */
export type Version = readonly [number, number, number];

/** The first version whose PreToolUse hooks can `defer` a tool call. */
export const PARKS_SINCE: Version = [2, 1, 89];

export function isAtLeast(version: string | undefined, least: Version): boolean {
  const numbers = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
  if (!numbers) return false;
  for (const [index, wanted] of least.entries()) {
    const there = numbers[index] ?? 0;
    if (there !== wanted) return there > wanted;
  }
  return true;
}
