import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Hub, type HubOptions, startHub } from '../../../src/hub/hub.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { TestStore } from '../../ledger/support/test-store.ts';

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  body: any;
}

export interface TestHub extends Hub {
  home: string;
  /** The hub's terminal output. */
  reported: unknown[];
  /** One request with the owner's token: `hub.call('PATCH', '/projects/p/…', body)`. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
}

/**
 * A real hub with its own ledger on a free loopback port, stopped after the test, which fails if the hub had an
 * internal error.
 */
export async function testHub(
  store: Pick<TestStore, 'place'>,
  options: Partial<HubOptions> = {},
): Promise<TestHub> {
  const ledger = await openLedger(store.place, {});
  const home = mkdtempSync(join(tmpdir(), 'fermata-hub-'));
  const reported: unknown[] = [];
  const hub = await startHub({
    ledger,
    host: '127.0.0.1',
    port: 0,
    home,
    owner: 'ann',
    web: join(home, 'no-page'),
    report: (error) => reported.push(error),
    ...options,
  }).catch(async (error: unknown) => {
    await ledger.close();
    throw error;
  });
  onTestFinished(async () => {
    await hub.stop();
    await ledger.close();
    rmSync(home, { recursive: true, force: true });
    expect(reported).toEqual([]);
  });
  const call: TestHub['call'] = (method, path, body, headers = {}) =>
    request(hub.url + path, method, body, { authorization: `Bearer ${hub.token}`, ...headers });
  return { ...hub, home, reported, call, get: (path, headers) => call('GET', path, undefined, headers) };
}

export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method,
    headers,
    ...(text === undefined ? {} : { body: text as string }),
  });
  const content = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(content) : content };
}

/** The headers that the page uses after a login. */
export function sessionOf({ headers, body }: Reply): { cookie: string; 'x-fermata-page-key': string } {
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'x-fermata-page-key': body.data.pageKey };
}
