import { createHash } from 'node:crypto';
import type { TaskOptions, Work } from '../../schema/work.ts';

/** A short hash of these values, the same in every process. */
export function shortHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The same for the same wishes on every machine, so that queueing the same work again continues it. */
export const wishesOf = (taskId: string, { kind, input }: Work, { options }: TaskOptions): string =>
  shortHash(taskId, kind, input, options);
