/** What went wrong, for programs. The command line and the hub each turn a code into an exit code or a status in one place. */
export const errorCodes = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'stale',
  'waiting',
  'gone',
  'too_large',
  'timeout',
  'rate_limited',
  'busy',
  'unavailable',
  'no_agent',
  'disk_full',
  'read_only',
  'newer_schema',
  'damaged',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** An error whose message is written for a person: what happened and what to do next. */
export class FermataError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FermataError';
    this.code = code;
    this.details = options.details;
  }
}
