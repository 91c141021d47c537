import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/hub/routes.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { request, sessionOf, testHub } from '../support/hub.ts';
import { openSocket } from '../support/socket.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('every door needs a token (HUB-3)', () => {
    const paths = [
      ...routes.map(({ method, path }) => [method, path.replace(/:\w+/g, 'x')]),
      ['get', '/healthz'],
      ['get', '/metrics'],
      ['get', '/openapi.json'],
      ['get', '/session'],
      ['delete', '/session'],
      ['post', '/projects/x/mcp'],
      ['post', '/ws-ticket'],
    ] as [string, string][];

    it('all routes refuse no token, a wrong one, and a wrong scheme', async () => {
      const { hub } = await startHubOn(store);
      const wrong = hub.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
      for (const [method, path] of paths) {
        for (const authorization of [undefined, `Bearer ${wrong}`, 'Bearer ', `Basic ${hub.token}`]) {
          for (const prefix of ['', '/api/v1']) {
            const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
            const reply = await request(hub.url + prefix + path, method.toUpperCase(), undefined, headers);
            expect([reply.status, reply.body.error.code], `${method} ${path}`).toEqual([401, 'unauthorized']);
            expect(reply.headers.get('www-authenticate')).toBe('Bearer');
            expect(JSON.stringify(reply.body)).not.toContain(hub.token);
          }
        }
      }
    });

    it('sockets refuse no token and a wrong one', async () => {
      const { hub, at } = await startHubOn(store);
      await expect(openSocket(hub, `/ws${at}`, {})).rejects.toThrow('status 401');
      await expect(openSocket(hub, `/ws${at}`, { authorization: 'Bearer nonsense' })).rejects.toThrow('401');
      await expect(openSocket(hub, `/ws${at}?ticket=nonsense`, {})).rejects.toThrow('401');
    });

    it('a name that could hide something in a list is refused (BIND-11)', async () => {
      const { hub } = await startHubOn(store);
      const refused = await hub.call('POST', '/tokens', { name: 'ci\u001b[2K', role: 'agent' });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
    });

    it('the ledger has only hashes of tokens; a revoked one opens nothing', async () => {
      const { hub } = await startHubOn(store);
      const token = await tokenFor(hub, 'human');
      expect((await hub.get('/tokens', token.headers)).status).toBe(200);
      const rows = await store.sql<{ hash: string }>('select * from credentials');
      expect(JSON.stringify(rows)).not.toContain(token.secret);
      expect(JSON.stringify((await hub.get('/tokens')).body)).not.toContain(token.secret);
      expect((await hub.call('DELETE', `/tokens/${token.id}`)).status).toBe(200);
      expect((await hub.get('/tokens', token.headers)).status).toBe(401);
      expect((await hub.call('DELETE', `/tokens/${token.id}`)).status).toBe(404);
    });
  });

  describe('a revoked token (HUB-3)', () => {
    it('ends its sockets at once, at every hub, and no others', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      const elsewhere = await testHub(store);
      const [revoked, kept] = [await tokenFor(hub, 'human'), await tokenFor(hub, 'human')];
      const { ticket } = (await hub.call('POST', '/ws-ticket', undefined, revoked.headers)).body.data;
      const ended = [
        await openSocket(hub, `/ws${at}`, revoked.headers),
        await openSocket(elsewhere, `/ws${at}`, revoked.headers),
        await openSocket(elsewhere, `/ws${at}?ticket=${ticket}`, {}),
      ];
      const stays = [
        await openSocket(hub, `/ws${at}`),
        await openSocket(hub, `/ws${at}`, kept.headers),
        await openSocket(elsewhere, `/ws${at}`, kept.headers),
      ];
      const before = performance.now();
      await hub.call('DELETE', `/tokens/${revoked.id}`);
      for (const { closed } of ended) expect(await closed).toMatchObject({ code: 4401 });
      // Much sooner than the periodic check, which takes half a minute.
      expect(performance.now() - before).toBeLessThan(10_000);
      await ledger.tasks.add({ projectId: project, title: 'x' }, ann);
      for (const socket of stays) expect(await socket.has(1)).toHaveLength(1);
      expect(ended.map(({ events }) => events)).toEqual([[], [], []]);
    });

    it('also ends the sockets of its sessions, as logging out does', async () => {
      const { hub, at } = await startHubOn(store);
      const token = await tokenFor(hub, 'human');
      const session = async () => {
        const made = await request(`${hub.url}/session`, 'POST', { token: token.secret });
        const headers = { ...sessionOf(made), origin: hub.url };
        const { ticket } = (await request(`${hub.url}/ws-ticket`, 'POST', undefined, headers)).body.data;
        return { headers, socket: await openSocket(hub, `/ws${at}?ticket=${ticket}`, {}) };
      };
      const [out, left] = [await session(), await session()];
      await request(`${hub.url}/session`, 'DELETE', undefined, out.headers);
      expect(await out.socket.closed).toMatchObject({ code: 4401 });
      expect(left.socket.socket.readyState).toBe(left.socket.socket.OPEN);
      await hub.call('DELETE', `/tokens/${token.id}`);
      expect(await left.socket.closed).toMatchObject({ code: 4401 });
    });
  });
});
