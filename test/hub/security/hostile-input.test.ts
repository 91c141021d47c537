import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { longTest } from '../../support/long-test.ts';
import { raw } from '../support/raw.ts';
import { question, startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('hostile input (HUB-3)', () => {
    it('a body that is too large is refused, declared or not', async () => {
      const { hub, at } = await startHubOn(store);
      const big = 'x'.repeat(3 * 1024 * 1024);
      expect(await hub.call('POST', `${at}/notifications`, big)).toMatchObject({
        status: 413,
        body: { error: { code: 'too_large' } },
      });
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(big));
          controller.close();
        },
      });
      const response = await fetch(`${hub.url}${at}/notifications`, {
        method: 'POST',
        headers: { authorization: `Bearer ${hub.token}` },
        body: stream,
        duplex: 'half',
      } as RequestInit);
      expect(response.status).toBe(413);
    });

    longTest('silent connections are closed, and do not lock others out', async () => {
      const { hub, at } = await startHubOn(store, { limits: { headersMs: 200, requestMs: 400 } });
      const port = Number(new URL(hub.url).port);
      const silent = Array.from({ length: 300 }, () => raw(port, ''));
      expect((await hub.get(`${at}/notifications`)).status).toBe(200);
      await Promise.all(silent);
      expect((await hub.get(`${at}/notifications`)).status).toBe(200);
    });

    it('stops waiting for a body that does not arrive, and the hub continues (HUB-3)', async () => {
      const { hub, at } = await startHubOn(store, { limits: { headersMs: 200, requestMs: 400 } });
      const port = Number(new URL(hub.url).port);
      const head = `POST ${at}/notifications HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hub.token}\r\n`;
      const late = /^HTTP\/1.1 408 .*"code":"timeout"/s;
      expect(await raw(port, `${head}Content-Length: 100\r\n\r\n{"source":`)).toMatch(late);
      expect(await raw(port, 'GET /projects HTTP/1.1\r\nHost: local')).toMatch(late);
      expect((await hub.get(`${at}/notifications`)).body.data).toEqual([]);
    });

    it('paths and names in ids are only names', async () => {
      const { hub, at } = await startHubOn(store);
      for (const id of ['..%2f..%2f..%2fetc%2fpasswd', '%00', "'%20or%201=1--", '%2e%2e', 'a'.repeat(5000)]) {
        for (const path of [
          `${at}/notifications/${id}`,
          `${at}/tasks/${id}`,
          `${at}/runs/${id}`,
          `/projects/${id}/tasks`,
        ]) {
          expect((await hub.get(path)).status, path).toBe(404);
        }
      }
      expect((await hub.get('/%ff')).status).toBe(404);
      expect((await hub.get(`${at}/events?after=-1`)).status).toBe(400);
      expect((await hub.get(`${at}/notifications?limit=0`)).status).toBe(400);
      expect((await hub.get(`${at}/notifications?after=nonsense`)).status).toBe(400);
      expect((await hub.get(`${at}/notifications?status=nonsense`)).status).toBe(400);
      expect((await hub.call('POST', `${at}/tasks`, { id: '../../x', title: 'x' })).status).toBe(400);
    });

    longTest('an invented cursor leads to a page or a refusal, never to an internal error', async () => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Work' });
      const cursors = [
        ...[
          '0',
          '9007199254740991',
          '9007199254740992',
          '99999999999999999999',
          '-1',
          '1e9',
          '0x10',
          ' 1',
          '',
        ],
        ...[
          '1.%00',
          '9999999999999999.x',
          `0.${'x'.repeat(200)}`,
          '1.%F0%9F%98%80',
          '01.n',
          '1.n%0A',
          '1.',
          '.n',
        ],
        ...["1.' or 1=1 --", '1.%25', 'NaN.x', '1.__proto__'],
      ];
      const lists = ['notifications', 'tasks', 'tasks/t1/chat', 'events', 'runs', 'feedback', 'decisions'];
      for (const list of lists) {
        for (const cursor of cursors) {
          const { status } = await hub.get(`${at}/${list}?after=${cursor}`);
          expect([200, 400, 410], `${list} after ${cursor}: ${status}`).toContain(status);
        }
      }
    });

    it('odd addresses and hosts are refused without output in the terminal', async () => {
      const { hub } = await startHubOn(store);
      const port = Number(new URL(hub.url).port);
      const upgrade =
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
      const targets = [
        '//',
        '//x',
        '///',
        '/%',
        '/%ff',
        '/%c0%ae',
        '/\\',
        '/..',
        '*',
        'http://evil.example/',
        'http://[',
        '/ws?after=%',
        '/ws/projects/%zz',
      ];
      const hosts = ['localhost', 'localhost:99999', '[::1', '[]', 'localhost:', '@localhost', 'a b', ''];
      for (const target of targets) {
        for (const host of hosts) {
          for (const extra of [upgrade, 'Connection: close\r\n']) {
            const reply = await raw(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${extra}\r\n`);
            expect(reply, `${target} at ${host} ${extra.length}`).toMatch(/^HTTP\/1\.1 (?:200|4\d\d) /);
          }
        }
      }
    });

    it('markup in a question comes back unchanged as JSON text, under headers that forbid scripts', async () => {
      const { hub, at } = await startHubOn(store);
      const text = '<script>alert(1)</script>\u2028<img src=x onerror=alert(1)>';
      const made = await hub.call('POST', `${at}/notifications`, { ...question, questions: [{ text }] });
      expect(made.body.data.questions[0].text).toBe(text);
      expect(made.headers.get('content-type')).toMatch(/^application\/json/);
      expect(made.headers.get('x-content-type-options')).toBe('nosniff');
    });
  });
});
