import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { desktopCommand } from '../../../src/channels/notices/desktop.ts';
import { sinksFromEnv } from '../../../src/channels/notices/sinks-from-env.ts';
import { webhookSink } from '../../../src/channels/notices/webhook.ts';
import { environment } from '../../../src/cli/environment.ts';
import { sinks } from '../support/sinks.ts';

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}

const notice = {
  title: 'A & B',
  questions: [{ text: '<!channel>', shown: [], notes: [], options: ['<@U1>', 'b'], link: 'https://h/a' }],
};

it('only the environment says where notices go, and errors about it do not reveal the address (CHAN-4)', () => {
  const names = (env: Record<string, string>) => sinksFromEnv(env).map(({ name }) => name);
  expect(names({})).toEqual([]);
  for (const { name, env } of sinks) expect(names(env)).toEqual([name]);
  expect(names(Object.assign({}, ...sinks.map(({ env }) => env)))).toEqual(sinks.map(({ name }) => name));
  for (const wrong of ['file:///etc/passwd', 'secret', 'https://user:pw@host/']) {
    expect(() => names({ FERMATA_NOTIFY_WEBHOOK: wrong })).toThrow(
      /^FERMATA_NOTIFY_WEBHOOK is not a URL[^:]*:\/\/ or http:\/\/\.$/,
    );
  }
  expect(() => names({ FERMATA_NOTIFY_NTFY: 'https://ntfy.sh/' })).toThrow(/topic/);
});

it('every sink that a person can turn on is tested with awkward commands and proposals (BIND-9, BIND-11)', () => {
  const variables = Object.keys(environment).filter((name) => name.startsWith('FERMATA_NOTIFY_'));
  expect(sinks.flatMap(({ env }) => Object.keys(env)).sort()).toEqual(variables.sort());
});

it('the desktop gets texts as arguments, never as a script (CHAN-4)', () => {
  const notice = {
    title: '--help"; do shell script',
    questions: [{ text: '<b>$(rm)</b>\u001b[2J', shown: [], notes: [], options: [] }],
  };
  expect(desktopCommand('linux', notice)).toEqual([
    'notify-send',
    '--app-name=Fermata',
    '--',
    '--help"; do shell script',
    '&lt;b&gt;$(rm)&lt;/b&gt;␛[2J',
  ]);
  expect(desktopCommand('darwin', notice).slice(-2)).toEqual([
    '--help"; do shell script',
    '<b>$(rm)</b>␛[2J',
  ]);
});

it('a webhook cannot be made to call a channel, neither by a question nor by an option (CHAN-4)', async () => {
  let body = '';
  const url = await serve(async (request, response) => {
    for await (const chunk of request) body += chunk;
    response.end('ok');
  });
  await webhookSink(url).send(notice, 'k1');
  expect(JSON.parse(body)).toEqual({
    text: '*A &amp; B*\n\n&lt;!channel&gt;\n• &lt;@U1&gt;\n• b\n<https://h/a|Answer>',
  });
});

it('redirects are not followed (CHAN-4)', async () => {
  let reached = false;
  const inside = await serve((_, response) => {
    reached = true;
    response.end();
  });
  const url = await serve((_, response) => response.writeHead(307, { location: inside.href }).end());
  await expect(webhookSink(url).send(notice, 'k1')).rejects.toThrow(/answered with 307/);
  expect(reached).toBe(false);
});
