import { createHash } from 'node:crypto';

/** A short hash of these values, the same in every process. */
export function shortHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
