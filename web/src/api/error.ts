import type { ErrorCode } from '../../../src/schema/error.ts';

/** Why the hub refused a request or could not be reached. The message is a sentence for a person. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unreachable';
  /** 0 when there was no response. */
  readonly status: number;
  readonly details: unknown;

  constructor(code: ApiError['code'], status: number, message: string, details?: unknown) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'unreachable';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
