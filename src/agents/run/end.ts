import { MAX_TIMER } from '../../config/duration.ts';
import { describeLimit } from '../../text/duration.ts';
import { type AgentSetup, BACKGROUND_WAIT_MS, type RunEnd } from '../driver.ts';
import type { Exit } from '../process/agent-process.ts';

/** Why a run is over. */
export type EndCause = Pick<RunEnd, 'reason' | 'message' | 'apiStatus'>;

/** What an agent said in its run. */
type Said = Pick<RunEnd, 'sessionId' | 'text' | 'usage' | 'stderrTail' | 'skippedLines'>;

const MAX_STDERR_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 2000;

export function runEnd(
  judged: EndCause,
  { code, signal, notStarted }: Exit,
  { sessionId, ...said }: Said,
): RunEnd {
  const cause: EndCause = notStarted === undefined ? judged : { reason: 'missing', message: notStarted };
  return { ...cause, ...said, ...(sessionId ? { sessionId } : {}), exitCode: code, signal };
}

export const stopped = (agent: string): EndCause => ({ reason: 'stopped', message: `${agent} was stopped.` });

export const interrupted = (agent: string): EndCause => ({
  reason: 'interrupted',
  message: `${agent} was interrupted.`,
});

export function timedOut(agent: string, { timeoutMs = 0 }: Pick<AgentSetup, 'timeoutMs'>): EndCause {
  const limit = describeLimit(timeoutMs / 1000);
  return {
    reason: 'timed_out',
    message: `Fermata stopped ${agent} because it worked for more than ${limit}.`,
  };
}

/** The agent reports that it failed. `apiStatus`: the model refused; null if it was unreachable. */
export function failed(agent: string, message: string, apiStatus: number | null | undefined): EndCause {
  const sentence = `${agent} failed: ${message.slice(0, MAX_MESSAGE_LENGTH)}`;
  if (apiStatus === undefined) return { reason: 'failed', message: sentence };
  return { reason: 'api_error', message: sentence, ...(apiStatus === null ? {} : { apiStatus }) };
}

export function crashed(agent: string, { code, signal }: Exit, stderrTail: string): EndCause {
  const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
  return { reason: 'crashed', message: `${agent} ${how} before it finished.${lastWords(stderrTail)}` };
}

export function noResult(agent: string, stderrTail: string): EndCause {
  return { reason: 'no_result', message: `${agent} ended without a result.${lastWords(stderrTail)}` };
}

/** The last line that a program wrote to stderr, as a sentence to append. */
function lastWords(stderrTail: string): string {
  const last = stderrTail.trim().split('\n').at(-1)?.slice(-MAX_STDERR_LENGTH) ?? '';
  return last === '' ? '' : ` It said: ${last}`;
}

type Limited = Pick<AgentSetup, 'backgroundWaitMs'>;

/** How long background work may be silent after the agent's last turn. */
export const backgroundWait = ({ backgroundWaitMs = BACKGROUND_WAIT_MS }: Limited) =>
  Math.min(backgroundWaitMs, MAX_TIMER);

/** Why we ended the run of a finished agent although work was still running. */
export function waitedLongEnough(agent: string, setup: Limited, work: string): string {
  const limit = describeLimit(backgroundWait(setup) / 1000);
  return `${agent} has finished. Fermata ended it after waiting ${limit} for its background work (${work}). Use --background-wait to wait longer.`;
}
