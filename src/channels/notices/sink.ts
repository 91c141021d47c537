import type { NoticeText } from './notice-text.ts';

/** A service that reaches a person. `send` resolves once the service accepted it, and throws if it did not. */
export interface NoticeSink {
  name: string;
  /** `key` is the same for every attempt, so that a receiver can recognise a repeat. */
  send(notice: NoticeText, key: string): Promise<void>;
}

const LIMIT_MS = 10_000;

/**
 * Posts to an address that the person has named. Does not follow a redirect, which could lead to another address inside
 * this machine's network.
 */
export async function postJson(url: URL, body: object, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url.host} answered with ${response.status}`);
}
