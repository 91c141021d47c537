import { ApiError } from './error.ts';
import { pageKey } from './page-key.ts';

interface Options {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** May be sent again if no response came: reading, and anything that the hub counts once. */
  repeatable?: boolean;
  /** The page is being closed; the browser still sends the request. */
  keepalive?: boolean;
}

export type Cursor = string | number;

interface Page<T> {
  data: T;
  next?: Cursor;
}

export const PAGE_ROWS = 500;

const PAUSES_MS = [300, 1000, 2500];
/** After sleep, a connection may look open but be dead. */
const PATIENCE_MS = 30_000;

/** One call of the hub's API. Throws an ApiError whose message can be shown unchanged. */
export async function request<T>(path: string, options: Options = {}): Promise<Page<T>> {
  const repeatable = options.repeatable ?? (options.method ?? 'GET') === 'GET';
  for (let attempt = 0; ; attempt++) {
    try {
      return await once<T>(path, options);
    } catch (error) {
      const pause = PAUSES_MS[attempt];
      if (!repeatable || pause === undefined || !isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** A list from a cursor, up to a limit that a page can show. `next` is where it continues. */
export async function requestAll<T>(
  path: string,
  limit: number,
  after?: Cursor,
  pageRows = PAGE_ROWS,
): Promise<{ rows: T[]; next?: Cursor }> {
  const rows: T[] = [];
  let next = after;
  do {
    const start = next === undefined ? '' : `&after=${encodeURIComponent(next)}`;
    const page = await request<T[]>(`${path}${path.includes('?') ? '&' : '?'}limit=${pageRows}${start}`);
    rows.push(...page.data);
    next = page.next;
  } while (next !== undefined && rows.length < limit);
  return { rows, ...(next === undefined ? {} : { next }) };
}

async function once<T>(path: string, { method = 'GET', body, keepalive }: Options): Promise<Page<T>> {
  const key = pageKey();
  const response = await reach(`/api/v1${path}`, {
    method,
    credentials: 'same-origin',
    keepalive: keepalive ?? false,
    headers: {
      accept: 'application/json',
      ...(key === null ? {} : { 'x-fermata-page-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return { data: undefined as T };
  const json: unknown = await response.json().catch(() => undefined);
  if (response.ok && isPage<T>(json)) return json;
  throw refusal(response.status, json);
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    throw new ApiError('unreachable', 0, 'Cannot reach the hub. Is "fermata serve" still running?');
  }
}

function isPage<T>(json: unknown): json is Page<T> {
  return typeof json === 'object' && json !== null && 'data' in json;
}

function refusal(status: number, json: unknown): ApiError {
  const error = (
    json as { error?: { code?: ApiError['code']; message?: string; details?: unknown } } | undefined
  )?.error;
  return new ApiError(
    error?.code ?? 'unavailable',
    status,
    error?.message ?? `The hub returned status ${status} without a message.`,
    error?.details,
  );
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503);
}
