import { createHash } from 'node:crypto';

/** A short key of an assignment's inputs, the same in every process. */
export function assignmentKey(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
