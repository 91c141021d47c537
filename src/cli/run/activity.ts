import type { AgentEvent } from '../../agents/driver.ts';
import { toolSummary } from '../../agents/stream/tool-summary.ts';

export interface Spent {
  tokens: number;
  costUsd: number;
}

/** What an agent did last, and what it and earlier agents of the same phase spent. */
export interface Activity {
  doing?: string;
  /** Spent by earlier sessions. */
  before: Spent;
  now: Spent;
}

export const nothing: Spent = { tokens: 0, costUsd: 0 };

/** The activity after one more event. */
export function afterEvent(activity: Activity, event: AgentEvent): Activity {
  switch (event.kind) {
    case 'tool':
      return { ...activity, doing: toolSummary(event.name, event.input) };
    case 'session':
      return { ...activity, before: spentBy(activity), now: nothing };
    case 'usage': {
      const { inputTokens, outputTokens, costUsd = 0 } = event.usage;
      return { ...activity, now: { tokens: inputTokens + outputTokens, costUsd } };
    }
    default:
      return activity;
  }
}

export const spentBy = ({ before, now }: Activity): Spent => sum(before, now);

export const sum = (a: Spent, b: Spent): Spent => ({
  tokens: a.tokens + b.tokens,
  costUsd: a.costUsd + b.costUsd,
});
