import type { CreateInput } from '../../schema/notification.ts';
import type { Tx } from '../engine/store.ts';
import type { NotificationRow } from '../engine/tables.ts';
import { selectAnswered, selectOpenRequest, selectReplay, selectUndeliveredRequest } from './request-sql.ts';

/**
 * What is already on record for a request, so that nobody is asked again: what an earlier life of this agent was
 * answered, what is open, or what was settled for this asker. With `again`, earlier answers do not count.
 */
export async function knownRequest(
  tx: Tx,
  asked: CreateInput,
  row: NotificationRow,
): Promise<NotificationRow | undefined> {
  const isReplayed = asked.life !== undefined && asked.key === undefined && !asked.gate && !asked.again;
  const earlier = isReplayed ? await selectReplay(tx, row) : undefined;
  return earlier ?? (await selectOpenRequest(tx, row.request_key)) ?? settledBefore(tx, asked, row);
}

/** A human gate and a question with a key have one answer, however often they are asked; others are reused only with `takeUp`. */
async function settledBefore(tx: Tx, asked: CreateInput, row: NotificationRow) {
  if (asked.again) return undefined;
  if (asked.gate || asked.key !== undefined) return selectAnswered(tx, row);
  return asked.takeUp ? selectUndeliveredRequest(tx, row) : undefined;
}
