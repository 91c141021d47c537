import { createHash } from 'node:crypto';
import type { AssignmentWork } from '../../schema/work-order.ts';

/** A short key of an assignment's inputs, the same in every process. */
export function assignmentKey(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The key of a work order: the same for the same wishes on every machine, so that queueing it again continues it. */
export function orderKey(scope: string, { remote: _, featureBranch: __, ...wanted }: AssignmentWork): string {
  return assignmentKey(scope, wanted);
}
