import { type ErrorCode, FermataError } from '../schema/error.ts';
import { Refusal } from '../schema/refusal.ts';

/** The only place where an error becomes a status. */
const statuses = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 409,
  waiting: 409,
  gone: 410,
  timeout: 408,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  damaged: 500,
  busy: 503,
  unavailable: 503,
  no_agent: 503,
  newer_schema: 503,
  read_only: 503,
  disk_full: 507,
} as const satisfies Record<ErrorCode, number>;

export interface HttpError {
  status: (typeof statuses)[ErrorCode];
  headers: Record<string, string>;
  body: { error: { code: ErrorCode; message: string; details?: unknown } };
}

/** A message may repeat the client's input, which can be long. */
const MAX_MESSAGE_LENGTH = 2000;

/** Whether the terminal gets more detail than the client, which must not learn where the ledger is. */
export function isInside(error: unknown): boolean {
  return !(error instanceof FermataError) || (statuses[error.code] >= 500 && error.cause !== undefined);
}

/** The error as sent to the client. Internal details go to the terminal only. */
export function httpError(error: unknown): HttpError {
  if (!(error instanceof FermataError)) {
    const message = "Internal error in the hub. See the hub's terminal for details.";
    return { status: 500, headers: {}, body: { error: { code: 'internal', message } } };
  }
  const { code, details } = error;
  const said = error instanceof Refusal ? [error.message, error.suggestion] : [error.message];
  const message = isInside(error)
    ? STORE_FAILED
    : said.filter(Boolean).join(' ').slice(0, MAX_MESSAGE_LENGTH);
  return {
    status: statuses[code],
    headers: headersOf(error),
    body: { error: { code, message, ...(details === undefined ? {} : { details }) } },
  };
}

function headersOf({ code, details }: FermataError): Record<string, string> {
  if (code === 'unauthorized') return { 'www-authenticate': 'Bearer' };
  if (code === 'rate_limited')
    return { 'retry-after': String((details as { retryAfter: number }).retryAfter) };
  return {};
}

const STORE_FAILED =
  "The hub could not read or write the ledger. The change may have been stored, so check before you try again. See the hub's terminal for details.";
