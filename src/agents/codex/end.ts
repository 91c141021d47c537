import { type EndCause, failed, interrupted } from '../run/end.ts';
import type { ResultEvent } from '../stream/events.ts';

/** The words of Codex for a thread that does not exist. */
const NO_THREAD = /no rollout found|thread not found/i;

/** Codex did not begin a turn. */
export function refused(agent: string, message: string, resumed: string | undefined): EndCause {
  const isLost = resumed !== undefined && NO_THREAD.test(message);
  return { reason: isLost ? 'session_lost' : 'failed', message: `${agent} refused to start: ${message}` };
}

/** The agent's own turn ended without being completed. */
export function turnFailed(agent: string, result: ResultEvent): EndCause {
  if (result.interrupted) return interrupted(agent);
  return failed(agent, result.errors[0] ?? '', result.apiStatus);
}
