import type { Notification } from '../../../src/schema/notification.ts';

/** Answers are added and replaced, never taken back; then they are delivered. */
export function isOlder(row: Notification, known: Notification): boolean {
  const [mine, theirs] = [stageOf(row), stageOf(known)];
  const at = mine.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (mine[at] ?? 0) < (theirs[at] ?? 0);
}

const stageOf = ({ status, responses, replaced = [] }: Notification) => [
  replaced.length,
  responses.length,
  status === 'open' ? 0 : status === 'delivered' ? 2 : 1,
];
