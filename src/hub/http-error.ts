import { type ErrorCode, FermataError } from '../schema/error.ts';

/** The one place where an error becomes a status. */
const statuses = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 409,
  waiting: 409,
  gone: 410,
  too_large: 413,
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
  body: { error: { code: ErrorCode; message: string; details?: unknown } };
}

/** It may repeat what was sent. */
const LONGEST_MESSAGE = 2000;

/** Whether the terminal is told more than the other end, which has no business with where the ledger is. */
export function isInside(error: unknown): boolean {
  return !(error instanceof FermataError) || (statuses[error.code] >= 500 && error.cause !== undefined);
}

/** What the other end is told. What went wrong inside is told to the terminal only. */
export function httpError(error: unknown): HttpError {
  if (!(error instanceof FermataError)) {
    const message = 'Something went wrong inside the hub. Its terminal says more.';
    return { status: 500, body: { error: { code: 'internal', message } } };
  }
  const { code, details } = error;
  const message = isInside(error) ? STORE_FAILED : error.message.slice(0, LONGEST_MESSAGE);
  return {
    status: statuses[code],
    body: { error: { code, message, ...(details === undefined ? {} : { details }) } },
  };
}

const STORE_FAILED =
  'The ledger could not be read or written. Nothing was confirmed; it is safe to try again. The terminal of the hub says more.';
