import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../support/fermata.ts';
import { testHub } from './support/hub.ts';

const start = () => testHub({ place: `${freshFolder('http')}/ledger.db` });

/** The response to these bytes until the hub closes the connection, with a reset if it has not read them all. */
function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    );
  });
}

describe('HTTP as others speak it (HUB-1)', () => {
  it('serves a target that is a whole URL, as proxies send it', async () => {
    const { url, token } = await start();
    const reply = await exchange(
      url,
      `GET http://localhost/session?x=1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 200 OK\r\n.*"name":"ann"/s);
  });

  it.each([
    ['a whole URL of another host', 'http://evil.example/session', 'evil.example', 403],
    ['a whole URL of ours under the name of another', 'http://localhost/session', 'evil.example', 400],
    ['a whole URL of another under our name', 'http://evil.example/session', 'localhost', 400],
    ['a whole URL of ours in capitals', 'HTTP://LOCALHOST/session', 'localhost', 400],
    ['a whole URL with our name in capitals', 'http://LOCALHOST/session', 'localhost', 200],
    ['a whole URL with somebody in it', 'http://localhost@evil.example/session', 'localhost', 400],
    ['two hosts', '/session', 'localhost\r\nhost: evil.example', 400],
    ['two hosts in another order', '/session', 'evil.example\r\nHOST: localhost', 400],
  ])(
    'a request must name one host, and it must be the hub’s: %s (HUB-3)',
    async (_, target, host, status) => {
      const { url, token } = await start();
      const reply = await exchange(
        url,
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
      expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    },
  );

  it.each([
    ['a whole URL without a path', 'http://localhost', 404],
    ['a whole URL with a query and no path', 'http://localhost?a=/session', 404],
    ['a star', '*', 400],
    ['a star in place of the slash', '*session', 400],
    ['a file of another kind of address', 'ftp://localhost/session', 400],
    ['two slashes', '//session', 404],
    ['a way around', '/x/../session', 404],
  ])('a target is taken literally: %s (HUB-3)', async (_, target, status) => {
    const { url, token } = await start();
    const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
    const reply = await exchange(url, `GET ${target} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const socket = target.replace('session', 'ws');
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    expect(await exchange(url, `GET ${socket} HTTP/1.1\r\n${head}${upgrade}${key}`)).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    );
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid'],
    [
      'two lengths',
      'POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
      'invalid',
    ],
    [
      'a length and chunks',
      'POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'invalid',
    ],
    [
      'a header over two lines',
      'GET /session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer\r\n x\r\n\r\n',
      400,
      'invalid',
    ],
    ['a name with a space', 'GET /session HTTP/1.1\r\nHost : localhost\r\n\r\n', 400, 'invalid'],
    ['headers without end', `GET /session HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too_large'],
  ])(
    'what cannot be a request is refused like everything else, and the connection ends: %s (HUB-3)',
    async (_, text, status, code) => {
      const { url } = await start();
      const [head = '', body = ''] = (await exchange(url, text)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'));
      expect(JSON.parse(body)).toEqual({ error: { code, message: expect.any(String) } });
    },
  );

  describe('an offer to upgrade to another protocol is ignored, and the request is served', () => {
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

    it('with its body, however that arrives', async () => {
      const { url, token, get } = await start();
      const body = JSON.stringify({ name: 'from Java', role: 'agent' });
      const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n`;
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.setEncoding('utf8').write(`POST /tokens HTTP/1.1\r\n${head}${offer}\r\n${body.slice(0, 9)}`);
      // Send the rest once the hub has seen the beginning, which a reply to another request shows.
      await get('/session');
      socket.write(body.slice(9));
      const replies = await text(socket);
      expect(replies).toMatch(/^HTTP\/1.1 201 Created\r\n.*connection: close\r\n.*"secret":/is);
    });

    it('once, with the same checks as others (HUB-3)', async () => {
      const { url, token } = await start();
      const ask = (more: string) =>
        exchange(url, `POST /ws-ticket HTTP/1.1\r\nHost: localhost\r\n${offer}${more}\r\n`);
      const authorization = `Authorization: Bearer ${token}\r\n`;
      const status = async (more: string) => (await ask(more)).match(/HTTP\/1.1 \d+/g);
      expect(await status(authorization)).toEqual(['HTTP/1.1 201']);
      expect(await status('')).toEqual(['HTTP/1.1 401']);
      expect(await status(`${authorization}Origin: http://evil.example\r\n`)).toEqual(['HTTP/1.1 403']);
      expect(await status(`${authorization}Host: evil.example\r\n`)).toEqual(['HTTP/1.1 400']);
      expect(await status(`${authorization}Upgrade: websocket\r\n`)).toEqual(['HTTP/1.1 201']);
      const again = `POST /ws-ticket HTTP/1.1\r\nHost: localhost\r\n${offer}${authorization}\r\n`;
      const replies = await status(`${authorization}\r\n${again.repeat(1000)}`);
      // A reset may take the one reply with it.
      expect(replies?.length ?? 0).toBeLessThanOrEqual(1);
    });
  });

  it('HEAD returns the headers of GET, without a body', async () => {
    const { url, token } = await start();
    const reply = await exchange(
      url,
      `HEAD /session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 200 OK\r\n.*content-length: 5\d\r\n.*\r\n\r\n$/is);
  });

  it('a request refused before its body is read leaves the connection usable', async () => {
    const { url, token } = await start();
    const body = 'GET /tokens HTTP/1.1\r\n'.repeat(10_000);
    const replies = await exchange(
      url,
      `POST /tokens HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
        `GET /session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(replies.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it('the first of two equal query names counts, and names such as __proto__ are ordinary names', async () => {
    const hub = await start();
    expect(await hub.get('/notifications?limit=2&limit=nothing')).toMatchObject({ status: 200 });
    expect(await hub.get('/notifications?__proto__=1')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid', message: expect.stringContaining('__proto__') } },
    });
  });

  it.each([
    ['GET', '/tasks/ready', 200, 'a word before a name'],
    ['PATCH', '/tasks/ready', 404, 'a name, where the word has no such method'],
    ['GET', '/tasks/ready/chat', 404, 'a name, where the path goes on'],
    ['GET', '/tasks/a%2Fb', 200, 'a name with a slash'],
    ['GET', '/tasks/__proto__', 404, 'a name that objects have'],
  ])('%s %s leads to its route (%s: %s)', async (method, path, status) => {
    const hub = await start();
    const { id } = (await hub.call('POST', '/projects', { root: freshFolder('routes') })).body.data;
    await hub.call('POST', `/projects/${id}/tasks`, { id: 'a/b', title: 'Work' });
    const reply = await hub.call(
      method,
      `/projects/${id}${path}`,
      method === 'PATCH' ? { status: 'in_progress', fence: 1 } : undefined,
    );
    expect(reply.status).toBe(status);
    if (status === 404) expect(reply.body.error.message).toMatch(/^There is no task/);
  });

  it.each(['/', '/projects/', '//projects', '/projects//tasks', '/projects/p/nothing', '/constructor'])(
    '%s is the path of nothing',
    async (path) => {
      const hub = await start();
      expect(await hub.get(path)).toMatchObject({ status: 404 });
    },
  );

  it('an unsupported method and an unknown path get different errors', async () => {
    const hub = await start();
    const refused = await hub.call('PUT', '/api/v1/projects');
    expect(refused).toMatchObject({
      status: 405,
      body: {
        error: { code: 'invalid', message: 'PUT is not supported for /api/v1/projects. Use GET, POST.' },
      },
    });
    expect(refused.headers.get('allow')).toBe('GET, POST');
    expect((await hub.call('PUT', '/project')).status).toBe(404);
  });

  it('a badly encoded address is refused with what to write', async () => {
    const hub = await start();
    expect(await hub.get('/projects/50%')).toMatchObject({
      status: 400,
      body: { error: { message: '"50%" in the URL is not encoded correctly. Write "%" as "%25".' } },
    });
  });
});
