import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { send } from '../support/raw.ts';
import { openSocket } from '../support/socket.ts';
import { question, startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('other sites (HUB-3)', () => {
    it('a foreign Origin cannot change anything or open a socket, even with a valid token', async () => {
      const { hub, at } = await startHubOn(store);
      for (const origin of ['http://evil.example', 'null', `${hub.url}.evil.example`, 'http://127.0.0.1:1']) {
        expect((await hub.call('POST', `${at}/notifications`, question, { origin })).status, origin).toBe(
          403,
        );
        const headers = { authorization: `Bearer ${hub.token}`, origin };
        await expect(openSocket(hub, `/ws${at}`, headers), origin).rejects.toThrow('status 403');
      }
      expect((await hub.get(`${at}/notifications`)).body.data).toEqual([]);
    });

    it('a name that was made to point here is refused (DNS rebinding); loopback and the public name are not', async () => {
      const { hub, at } = await startHubOn(store, { publicUrl: new URL('https://hub.example.org') });
      const authorization = `Bearer ${hub.token}`;
      const port = new URL(hub.url).port;
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        'localhost.evil.example',
        '127.0.0.1.nip.io',
      ]) {
        expect(await send(hub, '/projects', { authorization, host }), host).toBe(403);
        expect(await send(hub, '/', { host }), host).toBe(403);
      }
      await expect(openSocket(hub, `/ws${at}`, { authorization, host: 'evil.example' })).rejects.toThrow(
        '403',
      );
      for (const host of [
        `127.0.0.1:${port}`,
        `localhost:${port}`,
        'LOCALHOST',
        `[::1]:${port}`,
        'hub.example.org',
      ]) {
        expect(await send(hub, '/projects', { authorization, host }), host).toBe(200);
      }
      const origin = 'https://hub.example.org';
      expect((await hub.call('POST', `${at}/notifications`, question, { origin })).status).toBe(201);
    });
  });
});
