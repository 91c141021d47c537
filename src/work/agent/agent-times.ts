/** How long an agent may work, keep its process while it waits for an answer, and run background work. */
export interface AgentTimes {
  timeoutMs?: number;
  parkAfterMs?: number;
  backgroundWaitMs?: number;
}

const MINUTE_MS = 60_000;

const defaults = {
  timeoutMs: 30 * MINUTE_MS,
  parkAfterMs: 5 * MINUTE_MS,
  backgroundWaitMs: 30 * MINUTE_MS,
} satisfies AgentTimes;

export const withDefaultTimes = ({
  timeoutMs = defaults.timeoutMs,
  parkAfterMs = defaults.parkAfterMs,
  backgroundWaitMs = defaults.backgroundWaitMs,
}: AgentTimes): Required<AgentTimes> => ({ timeoutMs, parkAfterMs, backgroundWaitMs });
