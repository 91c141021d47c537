/** We do not wait longer than this by ourselves; the person decides. */
const MAX_WAIT_MS = 90_000;
/** The wait if GitHub does not say how long. */
const UNTOLD_WAIT_MS = 60_000;

export type RateLimit = { kind: 'none' } | { kind: 'short'; waitMs: number } | { kind: 'long'; until: Date };

/** Whether a request was refused for coming too early, and when to try again. */
export function rateLimitOf(status: number, headers: Headers, said: string, now: Date): RateLimit {
  if (status !== 403 && status !== 429) return { kind: 'none' };
  const waitMs =
    retryAfter(headers.get('retry-after'), now) ?? untilReset(headers, now) ?? untold(status, said);
  if (waitMs === undefined) return { kind: 'none' };
  if (waitMs <= MAX_WAIT_MS) return { kind: 'short', waitMs };
  return { kind: 'long', until: new Date(now.getTime() + waitMs) };
}

function retryAfter(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

function untilReset(headers: Headers, now: Date): number | undefined {
  const reset = headers.get('x-ratelimit-reset') ?? '';
  if (headers.get('x-ratelimit-remaining') !== '0' || !/^\d{1,12}$/.test(reset)) return undefined;
  // A second more, because the two clocks may differ.
  return Math.max(0, Number(reset) * 1000 - now.getTime()) + 1000;
}

function untold(status: number, said: string): number | undefined {
  return status === 429 || /rate limit|abuse detection/i.test(said) ? UNTOLD_WAIT_MS : undefined;
}
