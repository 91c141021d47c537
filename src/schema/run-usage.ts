import type { RunChange } from './event.ts';
import type { Usage } from './run.ts';

export type Spent = Required<Omit<Usage, 'costUsd'>> & {
  /** Undefined if the agent reported no cost. */
  costUsd?: number;
};

export const nothingSpent: Spent = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
};

export function addSpent(a: Spent, b: Spent): Spent {
  const cost =
    a.costUsd === undefined && b.costUsd === undefined
      ? {}
      : { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0) };
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    ...cost,
  };
}

/** What a run has used: an agent reports the sum of its process, and each process begins at 0. */
export function spentIn(changes: Iterable<RunChange>): Spent {
  let before = nothingSpent;
  let now = nothingSpent;
  for (const change of changes) {
    if (change.kind === 'session' || change.kind === 'take') {
      before = addSpent(before, now);
      now = nothingSpent;
    } else if (change.kind === 'usage') now = { ...nothingSpent, ...change.usage };
  }
  return addSpent(before, now);
}
