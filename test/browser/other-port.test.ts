import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { request } from '../hub/support/hub.ts';
import { PATIENCE_MS, useBrowser } from './support/browser.ts';
import { pageHub } from './support/page-hub.ts';

const browser = useBrowser();

/** Another program of this host, which keeps what browsers send to it. */
async function otherProgram(): Promise<{ url: string; received: IncomingHttpHeaders[] }> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    received.push(incoming.headers);
    outgoing.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

/** What a script on that program's page can try: the browser sends the cookie along, and the script knows nothing else. */
const ATTEMPTS = `async (hub, answer) => {
  const outcome = async (path, init) => {
    try {
      return (await fetch(hub + path, { credentials: 'include', ...init })).status;
    } catch {
      return 'nothing';
    }
  };
  const socket = () => new Promise((done) => {
    const opened = new WebSocket(hub.replace('http', 'ws') + '/ws');
    opened.onopen = () => done('open');
    opened.onerror = () => done('nothing');
  });
  return {
    stored: Object.keys(localStorage),
    read: await outcome('/api/v1/notifications'),
    ticket: await outcome('/api/v1/ws-ticket', { method: 'POST' }),
    answer: await outcome(answer.path, { method: 'PATCH', body: answer.body }),
    keyed: await outcome('/api/v1/notifications', { headers: { 'x-fermata-page-key': 'guess' } }),
    blind: await outcome(answer.path, { method: 'PATCH', body: answer.body, mode: 'no-cors' }),
    socket: await socket(),
  };
}`;

describe('a page of another port of the same host', { timeout: 2 * PATIENCE_MS }, () => {
  test('gets nothing that lets it, or the program that serves it, act (BIND-16)', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({ questions: [{ id: 'q', text: 'Deploy?', options: [{ label: 'Yes' }] }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'Yes' }).waitFor();

    const other = await otherProgram();
    const tab = await page.context().newPage();
    await tab.goto(other.url);
    const path = `/api/v1/projects/${hub.project}/notifications/${id}`;
    const responses = [{ questionId: 'q', answer: 'Yes' }];
    const answer = { path, body: JSON.stringify({ responses }) };
    const tried = await tab.evaluate(`(${ATTEMPTS})(${JSON.stringify(hub.url)}, ${JSON.stringify(answer)})`);
    expect(tried).toEqual({
      stored: [],
      ...{ read: 'nothing', ticket: 'nothing', answer: 'nothing', keyed: 'nothing', blind: 'nothing' },
      socket: 'nothing',
    });

    // Browsers send cookies to every port, so the program has the cookie, and can forge every header.
    const cookie = other.received.map((headers) => headers.cookie).find(Boolean) ?? '';
    expect(cookie).toMatch(/^fermata-\d+=[\w-]{20,}$/);
    const half = cookie.split('=')[1] ?? '';
    for (const key of [undefined, '', half, 'x'.repeat(22)]) {
      const headers = {
        cookie,
        origin: hub.url,
        ...(key === undefined ? {} : { 'x-fermata-page-key': key }),
      };
      const asPage = async (method: string, to: string, body?: unknown) =>
        (await request(hub.url + to, method, body, headers)).status;
      expect(await asPage('GET', '/session')).toBe(401);
      expect(await asPage('GET', '/notifications')).toBe(401);
      expect(await asPage('POST', '/ws-ticket')).toBe(401);
      expect(await asPage('PATCH', path, { responses })).toBe(401);
      expect(await asPage('POST', '/tokens', { name: 'mine', role: 'human' })).toBe(401);
      expect(await asPage('DELETE', '/session')).toBe(401);
    }
    const asToken = { authorization: `Bearer ${half}` };
    expect((await request(`${hub.url}/session`, 'GET', undefined, asToken)).status).toBe(401);
    expect((await request(`${hub.url}/session`, 'POST', { token: half })).status).toBe(401);
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toEqual([]);

    // The page itself keeps working: after a reload, with its socket, and in another tab of the same origin.
    await page.reload();
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await tab.goto(hub.url);
    await tab.getByRole('button', { name: 'Yes' }).click();
    await page.locator('.given').filter({ hasText: 'Yes' }).waitFor();
  });
});
