import { type EndCause, failed, interrupted } from '../run/end.ts';
import type { ResultEvent } from '../stream/events.ts';

/** Codex's messages for a thread that does not exist. */
const NO_THREAD = /no rollout found|thread not found/i;

/** Codex did not begin a turn. A thread to resume is kept, unless Codex says that it does not exist or its record is blank. */
export function refused(
  agent: string,
  message: string,
  resumed: string | undefined,
  isBlank = false,
): EndCause {
  const told = `${agent} refused to start: ${message}`;
  if (resumed === undefined) return { reason: 'failed', message: told };
  return { reason: isBlank || NO_THREAD.test(message) ? 'session_lost' : 'no_result', message: told };
}

/** The agent's own turn ended without being completed. */
export function turnFailed(agent: string, result: ResultEvent): EndCause {
  if (result.interrupted) return interrupted(agent);
  return failed(agent, result.errors[0] ?? '', result.apiStatus);
}
