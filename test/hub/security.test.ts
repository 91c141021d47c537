import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownToken } from '../../src/hub/auth/token-file.ts';
import { httpError, isInside } from '../../src/hub/http-error.ts';
import { routes } from '../../src/hub/routes.ts';
import { storeError } from '../../src/ledger/store/store-error.ts';
import { FermataError } from '../../src/schema/error.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { freshFolder } from '../support/fermata.ts';
import { request, type TestHub, testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

const question = { source: 'plan', sourceId: 'login', questions: [{ id: 'q1', text: 'Which database?' }] };

const person = { actor: { kind: 'person', name: 'ann' }, channel: 'rest' } as const;

/** With any header, also those that fetch sets itself. */
function send(hub: TestHub, path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest(hub.url + path, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

eachStore((store) => {
  async function start(options: Parameters<typeof testHub>[1] = {}) {
    const { ledger, project } = await store.start();
    const hub = await testHub(store, options);
    return { ledger, project, hub, at: `/projects/${project}` };
  }

  async function tokenFor(hub: TestHub, role: 'agent' | 'human', projectId?: string) {
    const made = await hub.call('POST', '/tokens', { name: `${role}-${Math.random()}`, role, projectId });
    expect(made.status).toBe(201);
    const { id, secret, name } = made.body.data;
    return { id, secret, name, headers: { authorization: `Bearer ${secret}` } };
  }

  describe('every door needs a token (HUB-3)', () => {
    const paths = [
      ...routes.map(({ method, path }) => [method, path.replace(/:\w+/g, 'x')]),
      ['get', '/healthz'],
      ['get', '/metrics'],
      ['get', '/openapi.json'],
      ['get', '/session'],
      ['post', '/ws-ticket'],
    ] as [string, string][];

    it('all routes refuse no token, a wrong one, and a wrong scheme', async () => {
      const { hub } = await start();
      const wrong = hub.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
      for (const [method, path] of paths) {
        for (const authorization of [undefined, `Bearer ${wrong}`, 'Bearer ', `Basic ${hub.token}`]) {
          for (const prefix of ['', '/api/v1']) {
            const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
            const reply = await request(hub.url + prefix + path, method.toUpperCase(), undefined, headers);
            expect([reply.status, reply.body.error.code], `${method} ${path}`).toEqual([401, 'unauthorized']);
            expect(JSON.stringify(reply.body)).not.toContain(hub.token);
          }
        }
      }
    });

    it('sockets refuse no token and a wrong one', async () => {
      const { hub, at } = await start();
      await expect(openSocket(hub, `/ws${at}`, {})).rejects.toThrow('status 401');
      await expect(openSocket(hub, `/ws${at}`, { authorization: 'Bearer nonsense' })).rejects.toThrow('401');
      await expect(openSocket(hub, `/ws${at}?ticket=nonsense`, {})).rejects.toThrow('401');
    });

    it('tokens are not in the ledger, only their hashes are; a revoked one opens nothing', async () => {
      const { hub } = await start();
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
      const { hub, at, ledger, project } = await start();
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
      // Far below the half minute of a check by time alone.
      expect(performance.now() - before).toBeLessThan(10_000);
      await ledger.tasks.add({ projectId: project, title: 'x' }, person);
      for (const socket of stays) expect(await socket.has(1)).toHaveLength(1);
      expect(ended.map(({ events }) => events)).toEqual([[], [], []]);
    });

    it('of a session that is logged out, or whose token is revoked, the sockets end too', async () => {
      const { hub, at } = await start();
      const token = await tokenFor(hub, 'human');
      const session = async () => {
        const made = await request(`${hub.url}/session`, 'POST', { token: token.secret });
        const headers = { cookie: made.headers.get('set-cookie')?.split(';')[0] ?? '', origin: hub.url };
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

  describe('logging in (HUB-3)', () => {
    it('a link serves once and gives a cookie that scripts and other sites cannot use', async () => {
      const { hub, at } = await start();
      const code = (await hub.loginLink()).split('#login=')[1];
      const logIn = () => request(`${hub.url}/api/v1/session`, 'POST', { code });
      const first = await logIn();
      expect(first).toMatchObject({ status: 201, body: { data: { name: 'ann', role: 'human' } } });
      const header = first.headers.get('set-cookie') ?? '';
      expect(header).toMatch(/HttpOnly/);
      expect(header).toMatch(/SameSite=Strict/);
      expect((await logIn()).status).toBe(401);

      const cookie = header.split(';')[0] ?? '';
      const as = (headers: Record<string, string>, method = 'GET', body?: unknown) =>
        request(`${hub.url}${at}/notifications`, method, body, { cookie, ...headers });
      expect((await as({})).status).toBe(200);
      // What changes something must come from the page itself.
      expect((await as({}, 'POST', question)).status).toBe(403);
      expect((await as({ origin: 'null' }, 'POST', question)).status).toBe(403);
      const made = await as({ origin: hub.url }, 'POST', question);
      expect(made.body.data.createdBy).toEqual({ actor: { kind: 'person', name: 'ann' }, channel: 'web' });

      const out = await request(`${hub.url}/session`, 'DELETE', undefined, { cookie, origin: hub.url });
      expect(out.status).toBe(200);
      expect((await as({})).status).toBe(401);
    });

    it('a person logs in with a token; an agent cannot; a session ends with the token behind it', async () => {
      const { hub } = await start();
      expect((await request(`${hub.url}/session`, 'POST', { token: hub.token })).status).toBe(201);
      const agent = await tokenFor(hub, 'agent');
      expect((await request(`${hub.url}/session`, 'POST', { token: agent.secret })).status).toBe(401);
      const human = await tokenFor(hub, 'human');
      const session = await request(`${hub.url}/session`, 'POST', { token: human.secret });
      const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
      expect((await request(`${hub.url}/projects`, 'GET', undefined, { cookie })).status).toBe(200);
      await hub.call('DELETE', `/tokens/${human.id}`);
      expect((await request(`${hub.url}/projects`, 'GET', undefined, { cookie })).status).toBe(401);
    });

    it('a ticket opens one socket, once; a session cookie alone opens none', async () => {
      const { hub, at } = await start();
      const { ticket } = (await hub.call('POST', '/ws-ticket')).body.data;
      await openSocket(hub, `/ws${at}?ticket=${ticket}`, { origin: hub.url });
      await expect(openSocket(hub, `/ws${at}?ticket=${ticket}`, {})).rejects.toThrow('401');
      const session = await request(`${hub.url}/session`, 'POST', { token: hub.token });
      const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
      await expect(openSocket(hub, `/ws${at}`, { cookie, origin: hub.url })).rejects.toThrow('401');
    });
  });

  describe('other sites (HUB-3)', () => {
    it('a foreign Origin may change nothing and open no socket, with a good token too', async () => {
      const { hub, at } = await start();
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
      const { hub, at } = await start({ publicUrl: new URL('https://hub.example.org') });
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

  describe('agents and projects (HUB-3)', () => {
    it('an agent asks, works and reads its own answers, but never answers, nor sees what others were told', async () => {
      const { hub, at } = await start();
      const agent = await tokenFor(hub, 'agent');
      const asked = await hub.call('POST', `${at}/notifications`, question, agent.headers);
      expect(asked.body.data.createdBy).toEqual({
        actor: { kind: 'agent', name: agent.name },
        channel: 'rest',
      });
      const own = `${at}/notifications/${asked.body.data.id}`;
      const foreign = (await hub.call('POST', `${at}/notifications`, { ...question, sourceId: 'other' })).body
        .data;
      const same = { ...question, sourceId: 'other', resume: { agent: 'mine', sessionId: 's' } };
      expect((await hub.call('POST', `${at}/notifications`, same, agent.headers)).status).toBe(409);
      const untouched = (await hub.get(`${at}/notifications/${foreign.id}`)).body.data;
      expect(untouched, 'its answer still goes to who asked').not.toHaveProperty('resume');
      const answer = { responses: [{ questionId: 'q1', answer: 'Mine' }] };
      expect((await hub.call('PATCH', own, answer, agent.headers)).status).toBe(403);
      expect((await hub.call('PATCH', own, { dismissed: true, reason: 'x' }, agent.headers)).status).toBe(
        403,
      );
      expect((await hub.get(`${at}/notifications/${foreign.id}`, agent.headers)).status).toBe(404);
      expect(
        (await hub.call('DELETE', `${at}/notifications/${foreign.id}`, undefined, agent.headers)).status,
      ).toBe(404);
      for (const path of [
        '/notifications',
        `${at}/notifications`,
        `${at}/events`,
        `${at}/decisions`,
        '/tokens',
      ]) {
        expect((await hub.get(path, agent.headers)).status, path).toBe(403);
      }
      await expect(openSocket(hub, `/ws${at}`, agent.headers)).rejects.toThrow('403');
      const ticket = (await hub.call('POST', '/ws-ticket', undefined, agent.headers)).body.data.ticket;
      await expect(openSocket(hub, `/ws${at}?ticket=${ticket}`, {})).rejects.toThrow('403');
      expect((await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' }, agent.headers)).status).toBe(
        403,
      );
      expect((await hub.call('POST', '/tokens', { name: 'x', role: 'human' }, agent.headers)).status).toBe(
        403,
      );

      expect(
        (await hub.call('PATCH', own, { responses: [{ questionId: 'q1', answer: 'Theirs' }] })).status,
      ).toBe(200);
      expect((await hub.get(own, agent.headers)).body.data.responses).toMatchObject([{ answer: 'Theirs' }]);
      expect((await hub.call('DELETE', own, undefined, agent.headers)).status).toBe(409);
    });

    it("an agent changes a task only with its claim's number, and lifts no block", async () => {
      const { hub, at } = await start();
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' }, agent.headers);
      const close = (fence?: number) =>
        hub.call('PATCH', `${at}/tasks/a`, { status: 'closed', fence }, agent.headers);
      expect((await close()).status).toBe(400);
      expect((await close(0)).status, 'nobody has claimed it').toBe(403);
      for (const change of [{ assignee: null }, { dependsOn: [] }])
        expect((await hub.call('PATCH', `${at}/tasks/a`, change, agent.headers)).status).toBe(400);
      await hub.call('POST', `${at}/tasks/a/claim`, { worker: 'other' });
      expect((await close(7)).status).toBe(409);
      expect((await hub.call('POST', `${at}/tasks/a/result`, { status: 'done' }, agent.headers)).status).toBe(
        403,
      );
      await hub.call('PATCH', `${at}/tasks/a`, { status: 'blocked', blockReason: 'Stop' });
      const { fence } = (await hub.get(`${at}/tasks/a`)).body.data;
      expect(
        (await hub.call('PATCH', `${at}/tasks/a`, { status: 'open', fence }, agent.headers)).status,
      ).toBe(403);
    });

    it('an agent sees no number of a claim that is not its own, wherever it looks', async () => {
      const { hub, at } = await start();
      const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const claimed = await hub.call('POST', `${at}/tasks/a/claim`, undefined, agent.headers);
      expect(claimed.body.data).toMatchObject({ assignee: agent.name, fence: 1 });
      const looks = [
        hub.get(`${at}/tasks`, other.headers),
        hub.get(`${at}/tasks/a`, other.headers),
        hub.call('POST', `${at}/tasks/a/claim`, undefined, other.headers),
        hub.call('PATCH', `${at}/tasks/a`, { status: 'closed', fence: 9 }, other.headers),
        hub.call('POST', `${at}/tasks/a/result`, { status: 'done', fence: 9 }, other.headers),
        hub.call('PATCH', `${at}/tasks/a`, { dependsOn: [], fence: 9 }, other.headers),
      ];
      const replies = await Promise.all(looks);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 409, 409, 409, 409]);
      for (const { body, status } of replies) {
        expect(JSON.stringify(body), `${status}`).not.toMatch(/fence"|number 1\b|is 1\b/);
      }
      expect((await hub.get(`${at}/tasks/a`, agent.headers)).body.data.fence).toBe(1);
      expect((await hub.get(`${at}/tasks/a`)).body.data.fence).toBe(1);
      const asked = { ...question, source: 'execute', sourceId: 'a' };
      expect((await hub.call('POST', `${at}/notifications`, asked, other.headers)).status).toBe(403);
      expect((await hub.get(`${at}/tasks/a`)).body.data).toMatchObject({ status: 'in_progress' });
      const inOtherName = { worker: 'pool-1' };
      await hub.call('POST', `${at}/tasks`, { id: 'b', title: 'B' });
      const taken = await hub.call('POST', `${at}/tasks/b/claim`, inOtherName, other.headers);
      expect(taken.body.data).toMatchObject({ assignee: 'pool-1', fence: 1 });
      const closed = { status: 'closed', fence: 1 };
      expect((await hub.call('PATCH', `${at}/tasks/b`, closed, other.headers)).status).toBe(200);
    });

    it('an agent reads in the chat of a task what was answered only while it holds it', async () => {
      const { hub, at } = await start();
      const agent = await tokenFor(hub, 'agent');
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const asked = { ...question, source: 'execute', sourceId: 'a' };
      const { id } = (await hub.call('POST', `${at}/notifications`, asked)).body.data;
      const responses = [{ questionId: 'q1', answer: 'Theirs' }];
      await hub.call('PATCH', `${at}/notifications/${id}`, { responses });
      await hub.call('POST', `${at}/tasks/a/chat`, { text: 'For all.' });
      const chat = async () =>
        (await hub.get(`${at}/tasks/a/chat`, agent.headers)).body.data.map((m: { text: string }) => m.text);
      expect(await chat()).toEqual(['For all.']);
      await hub.call('POST', `${at}/tasks/a/claim`, undefined, agent.headers);
      expect(await chat()).toEqual(['Which database?\nTheirs', 'For all.']);
    });

    it('a token of one project does not know that there are others', async () => {
      const { ledger, hub, at, project } = await start();
      const other = await store.project(ledger);
      const { id } = (await hub.call('POST', `/projects/${other}/notifications`, question)).body.data;
      const { headers } = await tokenFor(hub, 'human', project);
      expect((await hub.get('/projects', headers)).body.data.map((p: { id: string }) => p.id)).toEqual([
        project,
      ]);
      expect((await hub.get('/notifications', headers)).body.data).toEqual([]);
      expect((await hub.get('/notifications/count', headers)).body.data).toEqual({ count: 0 });
      expect((await hub.get(`${at}/notifications`, headers)).status).toBe(200);
      for (const path of [
        '',
        '/notifications',
        `/notifications/${id}`,
        '/tasks',
        '/events',
        '/settings',
        '/plans',
      ]) {
        expect((await hub.get(`/projects/${other}${path}`, headers)).status, path).toBe(404);
      }
      expect((await hub.get(`${at}/notifications/${id}`, headers)).status).toBe(404);
      await expect(openSocket(hub, `/ws/projects/${other}`, headers)).rejects.toThrow('404');
      await expect(openSocket(hub, '/ws', headers)).rejects.toThrow('403');
      for (const path of ['/tokens', '/metrics']) expect((await hub.get(path, headers)).status).toBe(403);
      expect((await hub.call('POST', '/tokens', { name: 'all', role: 'human' }, headers)).status).toBe(403);
      expect((await hub.call('POST', '/projects', { root: '/' }, headers)).status).toBe(403);
    });
  });

  describe('hostile input (HUB-3)', () => {
    it('a body that is too large is refused, declared or not', async () => {
      const { hub, at } = await start();
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

    it('connections that say nothing are closed, and keep nobody out', async () => {
      const { hub, at } = await start({ limits: { headersMs: 200, requestMs: 400 } });
      const port = Number(new URL(hub.url).port);
      const silent = Array.from({ length: 300 }, () => raw(port, ''));
      expect((await hub.get(`${at}/notifications`)).status).toBe(200);
      await Promise.all(silent);
      expect((await hub.get(`${at}/notifications`)).status).toBe(200);
    });

    it('a body that does not arrive is given up, and the hub goes on (HUB-3)', async () => {
      const { hub, at } = await start({ limits: { headersMs: 200, requestMs: 400 } });
      const port = Number(new URL(hub.url).port);
      const head = `POST ${at}/notifications HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hub.token}\r\n`;
      expect(await raw(port, `${head}Content-Length: 100\r\n\r\n{"source":`)).toMatch(/^HTTP\/1.1 408/);
      expect(await raw(port, 'GET /projects HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1.1 408/);
      expect((await hub.get(`${at}/notifications`)).body.data).toEqual([]);
    });

    it('paths and names in ids are only names', async () => {
      const { hub, at } = await start();
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

    it('odd addresses and hosts are refused without a word in the terminal', async () => {
      const { hub } = await start();
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

    it('markup in a question comes back as the JSON text that it was, under headers that forbid scripts', async () => {
      const { hub, at } = await start();
      const text = '<script>alert(1)</script>\u2028<img src=x onerror=alert(1)>';
      const made = await hub.call('POST', `${at}/notifications`, { ...question, questions: [{ text }] });
      expect(made.body.data.questions[0].text).toBe(text);
      expect(made.headers.get('content-type')).toMatch(/^application\/json/);
      expect(made.headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('one token cannot take up all sockets: there is room for others', async () => {
      const { hub, at } = await start({ limits: { sockets: 5, socketsPerToken: 2 } });
      const token = await tokenFor(hub, 'human');
      const [first] = [await openSocket(hub, `/ws${at}`), await openSocket(hub, `/ws${at}`)];
      await expect(openSocket(hub, `/ws${at}`)).rejects.toThrow('status 503');
      await openSocket(hub, `/ws${at}`, token.headers);
      first?.socket.terminate();
      const opens = () => openSocket(hub, `/ws${at}`).then(Boolean, () => false);
      await expect.poll(opens).toBe(true);
      expect(await opens()).toBe(false);
    });

    it('more sockets than it holds are refused, those that are open stay', async () => {
      const { hub, at, ledger, project } = await start({ limits: { sockets: 3 } });
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
      await ledger.tasks.add({ projectId: project, title: 'x' }, person);
      expect(await sockets[2]?.has(1)).toMatchObject([{ type: 'task.updated' }]);
    });
  });
});

describe('the page (HUB-3)', () => {
  eachStore((store) => {
    it('is served with a strict policy, and nothing outside of its folder is', async () => {
      const folder = freshFolder('web');
      mkdirSync(join(folder, 'assets'));
      writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Inbox</title>');
      writeFileSync(join(folder, 'assets/a.js'), 'x');
      writeFileSync(join(folder, '../secret.json'), '{}');
      const hub = await testHub(store, { web: folder });
      const page = await request(`${hub.url}/`, 'GET');
      expect(page.body).toContain('<title>Inbox</title>');
      expect(page.headers.get('content-security-policy')).toMatch(
        /default-src 'self'.*frame-ancestors 'none'/,
      );
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect((await request(`${hub.url}/assets/a.js`, 'GET')).headers.get('cache-control')).toMatch(
        /immutable/,
      );
      const { port } = new URL(hub.url);
      for (const path of [
        '/../secret.json',
        '/%2e%2e/secret.json',
        '/assets/../../secret.json',
        '/..%2fsecret.json',
      ]) {
        expect(
          await raw(Number(port), `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
        ).toMatch(/^HTTP\/1.1 404/);
      }
    });
  });
});

it('where the ledger is, and who it belongs to, is told to the terminal alone (HUB-3)', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
  const error = storeError(refused, 'postgres://hub:…@10.0.0.5/fermata');
  expect(isInside(error)).toBe(true);
  const { status, body } = httpError(error);
  expect(status).toBe(503);
  expect(body.error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) });
  expect(JSON.stringify(body)).not.toMatch(/10\.0\.0\.5|postgres|hub:/);
  const full = new FermataError('busy', 'There are 10000 sockets open, which is the most. Try later.');
  expect([isInside(full), httpError(full).body.error.message]).toEqual([false, full.message]);
});

describe('the token file (HUB-3)', () => {
  it('is made once, for its owner alone', () => {
    const home = join(freshFolder(), 'home');
    const token = ownToken(home);
    expect(ownToken(home)).toBe(token);
    expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, 'token'), 'utf8')).toBe(`${token}\n`);
  });

  it('is refused where others can read it, or where it holds no token', () => {
    const home = join(freshFolder(), 'home');
    ownToken(home);
    chmodSync(join(home, 'token'), 0o644);
    expect(() => ownToken(home)).toThrow(/chmod 600/);
    chmodSync(join(home, 'token'), 0o600);
    writeFileSync(join(home, 'token'), 'short');
    expect(() => ownToken(home)).toThrow(/no token/);
  });
});

/** Everything that comes back for some bytes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}
