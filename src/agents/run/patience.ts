import type { EndReason, RunEnd } from '../driver.ts';

/** How long to wait before each retry, in milliseconds. */
export interface ResumePauses {
  /** An agent that reports an outage has already retried by itself for a while. */
  outage: readonly number[];
  crash: readonly number[];
}

export const RESUME_PAUSES: ResumePauses = {
  outage: [2_000, 15_000, 60_000, 300_000, 600_000],
  crash: [1_000],
};

/** How long to wait before the session is resumed automatically; false if a person has to look first. */
export function retryAfter(
  { reason, apiStatus }: Pick<RunEnd, 'reason' | 'apiStatus'>,
  tries: number,
  { outage, crash }: ResumePauses = RESUME_PAUSES,
): number | false {
  if (reason === 'crashed') return crash[tries] ?? false;
  return reason === 'api_error' && passes(apiStatus) ? (outage[tries] ?? false) : false;
}

/** An outage ends by itself. A rejected key, a missing model or a malformed request does not. */
function passes(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 429 || status >= 500;
}

/** The state of a run that may be resumed. */
export interface Resumable {
  hasSession: boolean;
  /** An answer has not reached the agent yet. */
  hasUndelivered: boolean;
  /** The agent's model said or did something before the end. */
  hasModelOutput: boolean;
  /** If this agent fails, another one starts over with everything that was answered. */
  startsOver: boolean;
}

/**
 * True if the run can be resumed after its process ended like this; otherwise it has ended. A session that was cut off is
 * kept until the agent program says that it does not exist.
 */
export function isResumable(reason: EndReason, run: Resumable): boolean {
  const { hasSession, hasUndelivered, hasModelOutput, startsOver } = run;
  switch (reason) {
    case 'ok':
      return false;
    case 'parked':
    case 'stopped':
      return true;
    case 'api_error':
    case 'crashed':
    case 'missing':
    case 'interrupted':
    case 'no_result':
      return hasSession || hasUndelivered;
    case 'timed_out':
      return (hasSession && !startsOver) || hasUndelivered;
    // A session that fails at once would fail each time, so the next agent starts over.
    case 'failed':
      return (hasSession && hasModelOutput && !startsOver) || hasUndelivered;
    case 'session_lost':
    case 'too_many_rounds':
    case 'cannot_ask':
      return hasUndelivered;
    default:
      return reason satisfies never;
  }
}
