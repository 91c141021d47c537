import { decisionCursor } from '../ledger/decisions/decision-log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Decision } from '../schema/decision.ts';

const PAGE = 500;

/** The decisions of a project, newest first. */
export async function* eachDecision({ decisions }: Ledger, projectId: string): AsyncGenerator<Decision> {
  let last: Decision | undefined;
  for (;;) {
    const page: Decision[] = await decisions.list(projectId, PAGE, last && decisionCursor(last));
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** The decisions of a project, newest last. */
export async function allDecisions(ledger: Ledger, projectId: string): Promise<Decision[]> {
  const newestFirst: Decision[] = [];
  for await (const decision of eachDecision(ledger, projectId)) newestFirst.push(decision);
  return newestFirst.reverse();
}

/** A yes or no to one thing at one time, such as a command that an agent wanted to run. It is never offered again. */
export const isOneTime = ({ source }: Decision) => source === 'approval';
