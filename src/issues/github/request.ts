import { boundedBody } from '../../files/read-bounded.ts';
import { retry, schedules } from '../../files/retry.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import { FermataError } from '../../schema/error.ts';
import type { Access } from './client.ts';
import { proxyFor, sender } from './proxy.ts';
import type { ApiServer } from './server.ts';

export interface GitHubResponse {
  json: unknown;
  headers: Headers;
}

export interface RequestLimits {
  timeMs: number;
  /** The pauses before each retry. */
  retryMs: readonly number[];
}

const usual: RequestLimits = { timeMs: 60_000, retryMs: schedules.gitHub.pauses };
const MAX_BYTES = 64 * 1024 * 1024;

type Attempt =
  | { kind: 'done'; response: GitHubResponse }
  | { kind: 'again'; waitMs: number; why: string }
  | { kind: 'failed'; why: string };

/** Makes a request function: with the token, a time limit, bounded retries, and waits if GitHub asks for them. */
export function requester(server: ApiServer, access: Access, limits: RequestLimits = usual) {
  const redact = redactor({ ...access.env, GITHUB_TOKEN: server.token });
  const proxy = proxyFor(new URL(server.url), access.env);
  const send = sender(proxy);
  return async (url: string, post?: unknown): Promise<GitHubResponse> => {
    const attempt = await retry(
      schedules.gitHubRateLimit,
      ({ value }) => value?.kind === 'again' && value.waitMs,
      () => attemptPatiently(url, post),
      {
        signal: access.signal,
        onRetry({ value }) {
          if (value?.kind === 'again')
            access.onNotice?.(`${value.why} Waiting ${Math.ceil(value.waitMs / 1000)} s …`);
        },
      },
    );
    access.signal?.throwIfAborted();
    if (attempt.kind === 'done') return attempt.response;
    const { times } = schedules.gitHubRateLimit;
    const advice = attempt.kind === 'again' ? `Gave up after waiting ${times} times.` : 'Try again later.';
    throw new FermataError('unavailable', `${attempt.why} ${advice}`);
  };

  /** A write may have arrived although the response did not, so a retry could write it twice. */
  function attemptPatiently(url: string, post: unknown): Promise<Attempt> {
    return retry(
      { pauses: limits.retryMs },
      ({ value }) => post === undefined && value?.kind === 'failed',
      () => attemptOnce(url, post),
      {
        signal: access.signal,
        onRetry({ value }) {
          if (value?.kind === 'failed') access.onNotice?.(`${value.why} Trying again …`);
        },
      },
    );
  }

  async function attemptOnce(url: string, post: unknown): Promise<Attempt> {
    const time = AbortSignal.timeout(limits.timeMs);
    try {
      const response = await send(url, {
        method: post === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/vnd.github+json',
          'user-agent': 'fermata',
          'x-github-api-version': '2022-11-28',
          ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
          ...(post === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(post === undefined ? {} : { body: JSON.stringify(post) }),
        signal: access.signal ? AbortSignal.any([time, access.signal]) : time,
      });
      const body = await boundedBody(response, MAX_BYTES);
      if (body === undefined)
        throw new FermataError('invalid', 'GitHub sent more than 64 MB in one response.');
      return judge(response, body);
    } catch (error) {
      access.signal?.throwIfAborted();
      if (error instanceof FermataError) throw error;
      if (time.aborted)
        return { kind: 'failed', why: `GitHub did not answer within ${limits.timeMs / 1000} s.` };
      return {
        kind: 'failed',
        why: `Cannot reach GitHub${proxy ? ` through the proxy ${proxy.host}` : ''}: ${redact(reasonOf(error))}.`,
      };
    }
  }

  function judge(response: Response, body: string): Attempt {
    const { status, headers } = response;
    if (status >= 500) return { kind: 'failed', why: `GitHub had an internal error (HTTP ${status}).` };
    const json = parse(body);
    if (response.ok) {
      if (json === undefined)
        return { kind: 'failed', why: 'GitHub sent a response that is not valid JSON.' };
      return { kind: 'done', response: { json, headers } };
    }
    const said = redact(messageOf(json));
    const limit = rateLimitOf(status, headers, said, new Date());
    if (limit.kind === 'none')
      throw refusal(status, said, new URL(response.url || server.url).pathname, server);
    if (limit.kind === 'short')
      return { kind: 'again', waitMs: limit.waitMs, why: "GitHub's rate limit is reached." };
    const more = server.token === undefined ? ' With a token (GITHUB_TOKEN) the limit is much higher.' : '';
    throw new FermataError(
      'unavailable',
      `GitHub's rate limit is exhausted until ${limit.until.toISOString()}. Try again then.${more}`,
      { details: { until: limit.until.toISOString() } },
    );
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // an error page from something between GitHub and us
  }
}

function messageOf(json: unknown): string {
  const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : '';
  return typeof message === 'string' ? message.slice(0, 500) : '';
}

/** `fetch` only says "fetch failed"; the reason is its innermost cause. */
function reasonOf(error: unknown): string {
  let reason = error as NodeJS.ErrnoException;
  while (reason.cause instanceof Error) reason = reason.cause;
  const [, status] = /^Proxy response \((\d+)\)/.exec(reason.message) ?? [];
  if (status === undefined) return reason.message || String(reason.code);
  const advice = status === '407' ? ' (it requires a user and password: http://USER:PASSWORD@HOST:PORT)' : '';
  return `the proxy answered with HTTP ${status}${advice}`;
}

/** We do not wait longer than this by ourselves; the person decides. */
const MAX_WAIT_MS = 90_000;
/** The wait if GitHub does not say how long. */
const UNTOLD_WAIT_MS = 60_000;

type RateLimit = { kind: 'none' } | { kind: 'short'; waitMs: number } | { kind: 'long'; until: Date };

/** Whether a request was refused for coming too early, and when to try again. */
function rateLimitOf(status: number, headers: Headers, said: string, now: Date): RateLimit {
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

/** What a refused request means, and what the person can do. */
function refusal(status: number, said: string, path: string, { token }: ApiServer): FermataError {
  const words = said === '' ? '' : ` It says: ${said}`;
  const login = 'Log in with "gh auth login", or set GITHUB_TOKEN.';
  switch (status) {
    case 401:
      return new FermataError(
        'forbidden',
        `GitHub rejected the token (HTTP 401).${words} Create a new one, or: ${login}`,
      );
    case 403:
      return new FermataError(
        'forbidden',
        `GitHub refused ${path} (HTTP 403).${words} The token needs permission to read issues.`,
      );
    case 404:
      return new FermataError(
        'not_found',
        `GitHub: ${path} not found (HTTP 404). Check the name${token === undefined ? `; a private repository needs a login: ${login}` : ', and that the token may read this repository.'}`,
      );
    case 410:
      return new FermataError(
        'not_found',
        `${path} no longer exists, or its issues are disabled (HTTP 410).${words}`,
      );
    default:
      return new FermataError('unavailable', `GitHub refused ${path} (HTTP ${status}).${words}`);
  }
}
