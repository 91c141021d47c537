import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { type TestHub, testHub } from '../support/hub.ts';
import { startHubOn } from '../support/start.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

async function rawClient(hub: TestHub, head: string): Promise<Socket> {
  const socket = connect(Number(new URL(hub.url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => undefined); // it may be cut off while it writes
  await once(socket, 'connect');
  socket.write(`${head}\r\nHost: localhost\r\nAuthorization: Bearer ${hub.token}\r\n`);
  return socket;
}

eachStoreInLong((store) => {
  describe('too much of something (HUB-3)', () => {
    it('many wrong fields are refused in a few words', async () => {
      const { hub, at } = await startHubOn(store);
      const keys = Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`).join(',');
      const refused = await hub.call('POST', `${at}/tasks`, `{"title":"x",${keys}}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
      expect(JSON.stringify(refused.body).length).toBeLessThan(2000);
      const cursor = await hub.get(`${at}/notifications?after=${'x'.repeat(10_000)}`);
      expect(cursor.status).toBe(400);
      expect(JSON.stringify(cursor.body).length).toBeLessThan(3000);
    });

    it('deep nesting is refused before anything recurses into it', async () => {
      const { hub, at } = await startHubOn(store);
      const run = (data: string) =>
        hub.call(
          'POST',
          `${at}/runs`,
          `{"agent":"a","source":"plan","sourceId":"s","data":{"a":${data},"b":"[[[\\"{{{"}}`,
        );
      for (const levels of [201, 10_000, 900_000])
        expect(await run(deep(levels)), `${levels}`).toMatchObject({
          status: 400,
          body: { error: { message: expect.stringContaining('nesting levels') } },
        });
      expect((await run(deep(190))).status).toBe(201);
      expect((await run(`"${'['.repeat(1000)}"`)).status, 'in a text they are none').toBe(201);
    });

    it('of many entries that are not questions, only some are reported', async () => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Work' });
      const body = `{"status":"failed","open_questions":["Which?",${'0,'.repeat(50_000)}0]}`;
      const { status, body: told } = await hub.call('POST', `${at}/tasks/t1/result`, body);
      expect([status, told.data.notification.questions.length, told.data.dropped.length]).toEqual([
        200, 1, 100,
      ]);
    });

    longTest('a page that gets too large ends early, and the next one continues', async () => {
      const { hub, at } = await startHubOn(store);
      const body = 'x'.repeat(250_000);
      for (let n = 0; n < 60; n++) await hub.call('POST', `${at}/tasks`, { title: `t${n}`, body });
      const sizes: number[] = [];
      let next = '';
      do {
        const page = (await hub.get(`${at}/tasks?limit=1000${next}`)).body;
        sizes.push(page.data.length);
        next = page.next === undefined ? '' : `&after=${page.next}`;
      } while (next !== '');
      expect(sizes).toEqual([50, 10]);
    });

    longTest('a flood of pings from a client that reads no answers ends its socket', async () => {
      const { hub, at } = await startHubOn(store);
      const socket = await rawClient(
        hub,
        `GET /ws${at} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
      );
      socket.write('\r\n');
      await once(socket, 'data');
      socket.pause();
      const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
      const pings = Buffer.concat(Array(1000).fill(ping));
      const closed = closeOf(socket);
      const flood = async () => {
        while (!socket.destroyed) {
          if (!socket.write(pings)) await Promise.race([drainOf(socket), closed]);
        }
      };
      await flood();
      await closed;
      const sockets = async () => /^fermata_sockets (\d+)$/m.exec((await hub.get('/metrics')).body)?.[1];
      await expect.poll(sockets).toBe('0');
    });
  });
});

longTest('a client that does not read its responses is disconnected (HUB-3)', async () => {
  const place = `${freshFolder('patience')}/ledger.db`;
  const hub = await testHub({ place });
  const { id } = (await hub.call('POST', '/projects', { root: freshFolder('patience') })).body.data;
  const body = 'x'.repeat(250_000);
  for (let n = 0; n < 20; n++) await hub.call('POST', `/projects/${id}/tasks`, { title: 'Large', body });
  const path = `GET /projects/${id}/tasks HTTP/1.1`;
  const impatient = await testHub({ place }, { limits: { idleMs: 300 } });
  const socket = await rawClient(impatient, path);
  socket.pause();
  const again = `${path}\r\nHost: localhost\r\nAuthorization: Bearer ${impatient.token}\r\n\r\n`;
  socket.write(`\r\n${again.repeat(20)}`);
  // A client that does not read learns of the end only by writing, so write less often than the hub's patience.
  const knock = setInterval(() => socket.write('\r\n'), 1000);
  onTestFinished(() => clearInterval(knock));
  await closeOf(socket);
});

// Not with `once`, which rejects on an error: here the other end closes the connection.
const closeOf = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
const drainOf = (socket: Socket) => new Promise((resolve) => socket.once('drain', resolve));
