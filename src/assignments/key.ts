import { createHash } from 'node:crypto';

/** A short name for what an assignment is made from: the same parts have the same key in every process. */
export function assignmentKey(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
