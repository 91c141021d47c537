import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { request, sessionOf } from '../support/hub.ts';
import { raw } from '../support/raw.ts';
import { openSocket } from '../support/socket.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('logging in (HUB-3)', () => {
    it('a link works once and sets a cookie that scripts and other sites cannot use', async () => {
      const { hub, at } = await startHubOn(store);
      const code = (await hub.loginLink()).split('#login=')[1];
      const logIn = () => request(`${hub.url}/api/v1/session`, 'POST', { code });
      const first = await logIn();
      expect(first).toMatchObject({ status: 201, body: { data: { name: 'ann', role: 'human' } } });
      const header = first.headers.get('set-cookie') ?? '';
      expect(header).toMatch(/HttpOnly/);
      expect(header).toMatch(/SameSite=Strict/);
      expect((await logIn()).status).toBe(401);

      const cookie = header.split(';')[0] ?? '';
      const session = sessionOf(first);
      const as = (headers: Record<string, string>, method = 'GET', body?: unknown) =>
        request(`${hub.url}${at}/notifications`, method, body, { ...session, ...headers });
      const half = await request(`${hub.url}${at}/notifications`, 'GET', undefined, { cookie });
      expect(half.status, 'the cookie alone (BIND-16)').toBe(401);
      expect((await as({})).status).toBe(200);
      // Requests that change something must come from the page itself.
      expect((await as({}, 'POST', question)).status).toBe(403);
      expect((await as({ origin: 'null' }, 'POST', question)).status).toBe(403);
      const made = await as({ origin: hub.url }, 'POST', question);
      expect(made.body.data.createdBy).toEqual({ actor: { kind: 'person', name: 'ann' }, channel: 'web' });

      const out = await request(`${hub.url}/session`, 'DELETE', undefined, { ...session, origin: hub.url });
      expect(out.status).toBe(200);
      expect((await as({})).status).toBe(401);
    });

    it('a link that is opened twenty times at once logs in one browser (BIND-23)', async () => {
      const { hub } = await startHubOn(store);
      const code = (await hub.loginLink()).split('#login=')[1];
      const logIn = () => request(`${hub.url}/session`, 'POST', { code });
      const replies = await Promise.all(Array.from({ length: 20 }, logIn));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)]);
    });

    it('a link ends after ten minutes, so that one in a log opens nothing later (BIND-23)', async () => {
      const { hub } = await startHubOn(store);
      const [early, late] = [await hub.loginLink(), await hub.loginLink()].map(
        (link) => link.split('#login=')[1],
      );
      const made = Date.now();
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const logIn = (code?: string) => request(`${hub.url}/session`, 'POST', { code });
      vi.setSystemTime(made + 9 * 60_000);
      expect((await logIn(early)).status).toBe(201);
      vi.setSystemTime(made + 10 * 60_000 + 1000);
      expect((await logIn(late)).status).toBe(401);
    });

    it('a person logs in with a token; an agent cannot; a session ends with its token', async () => {
      const { hub } = await startHubOn(store);
      expect((await request(`${hub.url}/session`, 'POST', { token: hub.token })).status).toBe(201);
      const agent = await tokenFor(hub, 'agent');
      expect((await request(`${hub.url}/session`, 'POST', { token: agent.secret })).status).toBe(401);
      const human = await tokenFor(hub, 'human');
      const session = sessionOf(await request(`${hub.url}/session`, 'POST', { token: human.secret }));
      expect((await request(`${hub.url}/projects`, 'GET', undefined, session)).status).toBe(200);
      await hub.call('DELETE', `/tokens/${human.id}`);
      expect((await request(`${hub.url}/projects`, 'GET', undefined, session)).status).toBe(401);
    });

    it('a wrong token is called a wrong token, in a log-in and in a request', async () => {
      const { hub } = await startHubOn(store);
      const wrong = 'x'.repeat(43);
      const message = async (token: string) =>
        (await request(`${hub.url}/session`, 'POST', { token })).body.error.message;
      expect(await message(wrong)).toMatch(/^The token is unknown to this hub/);
      expect(await message((await tokenFor(hub, 'agent')).secret)).toMatch(/^This is an agent's token/);
      const get = (headers: Record<string, string>) =>
        request(`${hub.url}/projects`, 'GET', undefined, headers);
      expect(await get({ authorization: `Bearer ${wrong}` })).toMatchObject({
        status: 401,
        body: { error: { message: expect.stringMatching(/^The token is unknown/) } },
      });
      expect((await get({})).body.error.message).toMatch(/^A token is required/);
    });

    it('accepts nothing large before authentication: a log-in is short, a bad link is refused at once', async () => {
      const { hub } = await startHubOn(store);
      const logIn = (token: string) => request(`${hub.url}/session`, 'POST', { token });
      expect((await logIn('x'.repeat(190))).status).toBe(401);
      expect((await logIn('x'.repeat(5000))).status).toBe(413);
      const head = 'Host: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n';
      const unsent = `POST /a/x.y HTTP/1.1\r\n${head}Content-Length: 1000000\r\n\r\ntext=`;
      expect(await raw(Number(new URL(hub.url).port), unsent)).toMatch(/^HTTP\/1.1 404 /);
    });

    it('a ticket opens one socket, once; a session cookie alone opens none', async () => {
      const { hub, at } = await startHubOn(store);
      const { ticket } = (await hub.call('POST', '/ws-ticket')).body.data;
      await openSocket(hub, `/ws${at}?ticket=${ticket}`, { origin: hub.url });
      await expect(openSocket(hub, `/ws${at}?ticket=${ticket}`, {})).rejects.toThrow('401');
      const session = sessionOf(await request(`${hub.url}/session`, 'POST', { token: hub.token }));
      await expect(openSocket(hub, `/ws${at}`, { ...session, origin: hub.url })).rejects.toThrow('401');
    });
  });
});
