import { isRecord, own } from '../../ledger/forms/record.ts';
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
  const sentence = `${agent} refused to start: ${message}`;
  if (resumed === undefined) return { reason: 'failed', message: sentence };
  return { reason: isBlank || NO_THREAD.test(message) ? 'session_lost' : 'no_result', message: sentence };
}

/** The agent's own turn ended without being completed. */
export function turnFailed(agent: string, result: ResultEvent): EndCause {
  if (result.interrupted) return interrupted(agent);
  return failed(agent, result.errors[0] ?? '', result.apiStatus);
}

/** What Codex says about an unreachable model, in versions with no other sign of it. */
const DISCONNECTED = /stream disconnected|error sending request|high demand/i;
/** If the API calls a request malformed, Codex passes the response on unchanged. */
const MALFORMED = /^\s*\{\s*"error"/;
const STATUS = /\bunexpected status (\d{3})\b/;
/** The names that Codex uses instead of a status. */
const NAMED: Record<string, number> = {
  badRequest: 400,
  unauthorized: 401,
  usageLimitExceeded: 429,
  internalServerError: 500,
  serverOverloaded: 503,
};

/** The HTTP status with which a turn failed; null if the API did not respond, undefined if it was another failure. */
export function apiStatusOf(message: string, codexErrorInfo: unknown): number | null | undefined {
  const status = statusIn(codexErrorInfo) ?? statusNamedIn(message);
  if (status !== undefined) return status;
  return isRecord(codexErrorInfo) || DISCONNECTED.test(message) ? null : undefined;
}

/** `"internalServerError"`, or `{"httpConnectionFailed":{"httpStatusCode":401}}`. */
function statusIn(info: unknown): number | undefined {
  if (typeof info === 'string') return own(NAMED, info);
  const [detail] = isRecord(info) ? Object.values(info) : [];
  return isRecord(detail) && typeof detail.httpStatusCode === 'number' ? detail.httpStatusCode : undefined;
}

function statusNamedIn(message: string): number | undefined {
  const digits = STATUS.exec(message)?.[1];
  if (digits !== undefined) return Number(digits);
  return MALFORMED.test(message) ? 400 : undefined;
}
