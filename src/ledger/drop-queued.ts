import type { By } from '../schema/actor.ts';
import { collectPage, PAGE } from './notice-outbox.ts';
import { iso } from './rows.ts';
import { settle } from './settle.ts';
import { deleteNoticesOf, selectSinks } from './store/notices.ts';
import { selectOpenOf } from './store/notifications.ts';
import type { Tx } from './store/store.ts';

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
