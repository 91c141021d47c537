import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { openSocket } from '../support/socket.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('many sockets (HUB-3)', () => {
    it('one token cannot take up all sockets: there is room for others', async () => {
      const { hub, at } = await startHubOn(store, { limits: { sockets: 5, socketsPerToken: 2 } });
      const token = await tokenFor(hub, 'human');
      const [first] = [await openSocket(hub, `/ws${at}`), await openSocket(hub, `/ws${at}`)];
      await expect(openSocket(hub, `/ws${at}`)).rejects.toThrow('status 503');
      await openSocket(hub, `/ws${at}`, token.headers);
      first?.socket.terminate();
      const opens = () => openSocket(hub, `/ws${at}`).then(Boolean, () => false);
      await expect.poll(opens).toBe(true);
      expect(await opens()).toBe(false);
    });

    it('refused sockets are closed even if the client keeps its end open', async () => {
      const { hub, at } = await startHubOn(store);
      const port = Number(new URL(hub.url).port);
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => {
        socket.destroy();
      });
      const cut = new Promise((resolve) => socket.on('error', resolve));
      socket.write(
        `GET /ws${at} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      const [reply] = await once(socket, 'data');
      expect(String(reply)).toMatch(/^HTTP\/1.1 401 .*\r\nwww-authenticate: Bearer\r\n/s);
      // A half-closed socket can still be written to.
      const knock = setInterval(() => socket.write('x'), 100);
      onTestFinished(() => clearInterval(knock));
      expect(await cut).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
    });

    it('sockets above the limit are refused, and open ones stay open', async () => {
      const { hub, at, ledger, project } = await startHubOn(store, { limits: { sockets: 3 } });
      const sockets = [];
      for (let n = 0; n < 3; n++) sockets.push(await openSocket(hub, `/ws${at}`));
      await expect(openSocket(hub, `/ws${at}`)).rejects.toThrow('status 503');
      sockets[0]?.socket.terminate();
      await expect
        .poll(() =>
          openSocket(hub, `/ws${at}`).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await ledger.tasks.add({ projectId: project, title: 'x' }, ann);
      expect(await sockets[2]?.has(1)).toMatchObject([{ type: 'task.updated' }]);
    });
  });
});
