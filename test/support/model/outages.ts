import { drop, type Failure, httpError } from './script.ts';

/** The ways in which a model becomes unavailable. */
export const OUTAGES = ['reset', 'truncated', 500, 529, 401] as const;
export type Outage = (typeof OUTAGES)[number];

/** A program that retries by itself need not wait. */
const AT_ONCE = { 'retry-after': '0' };

/** `half` is what is left of a truncated reply. */
export function outage<Reply>(kind: Outage, half: Reply): Failure<Reply> {
  switch (kind) {
    case 401:
      return httpError(401, 'authentication_error', 'invalid x-api-key');
    case 500:
      return httpError(500, 'api_error', 'internal error', AT_ONCE);
    case 529:
      return httpError(529, 'overloaded_error', 'Overloaded', AT_ONCE);
    case 'reset':
      return drop();
    case 'truncated':
      return drop(half);
    default:
      return kind satisfies never;
  }
}
