import type { By } from '../../schema/actor.ts';
import { iso } from '../engine/rows.ts';
import type { Tx } from '../engine/store.ts';
import { collectPage, PAGE } from '../notices/notice-outbox.ts';
import { deleteNoticesOf, selectSinks } from '../notices/notice-sql.ts';
import { selectOpenOf } from '../notifications/notification-sql.ts';
import { settle } from '../notifications/settle.ts';

/** Withdraws what an asker has open in a project, and drops its notices that have not gone out yet. */
export async function dropQueued(tx: Tx, asker: By, reason: string, by: By): Promise<void> {
  const createdBy = JSON.stringify(asker);
  for (const row of await selectOpenOf(tx, createdBy)) {
    await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
  for (const { sink } of await selectSinks(tx)) {
    // Those that nobody has collected yet would be sent later.
    while ((await collectPage(tx, sink)) === PAGE);
  }
  await deleteNoticesOf(tx, createdBy);
}
