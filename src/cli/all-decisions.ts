import { decisionCursor } from '../ledger/decisions/decision-log.ts';
import { allRows } from '../ledger/engine/stored.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Decision } from '../schema/decision.ts';

/** The decisions of a project, newest last. */
export async function allDecisions({ decisions }: Ledger, projectId: string): Promise<Decision[]> {
  const newestFirst = await allRows<Decision>((limit, last) =>
    decisions.list(projectId, limit, last && decisionCursor(last)),
  );
  return newestFirst.reverse();
}
