import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { desktopCommand } from '../../src/channels/notices/desktop.ts';
import { ntfySink } from '../../src/channels/notices/ntfy.ts';
import { sinksFromEnv } from '../../src/channels/notices/sinks-from-env.ts';
import { webhookSink } from '../../src/channels/notices/webhook.ts';
import { ask } from '../ledger/support/ask.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { request, testHub } from './support/hub.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  body: any;
}

/** A real server that keeps what it gets and answers as it is told. */
async function receiver(statuses: number[] = []) {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    received.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) });
    const status = statuses.shift() ?? 200;
    outgoing.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const has = (count: number) =>
    new Promise<Received[]>((resolve) => {
      const look = () => received.length >= count && resolve([...received]);
      waiting.push(look);
      look();
    });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  // A sink of its own, so that what another test left behind does not come here.
  const sink = { ...webhookSink(url), name: `webhook-${randomUUID()}` };
  return { url, sink, received, has };
}

const person = { actor: { kind: 'person', name: 'ann' }, channel: 'rest' } as const;
const linkIn = (text: string) => /<(http[^|]+)\|Answer>/.exec(text)?.[1] ?? '';

eachStore((store) => {
  it('a new question goes out in Slack format with a link; nothing in its text can call a channel (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    await ask(ledger, project, { sourceId: 'before the hub knew of this sink' });
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const text = 'Tell <!channel> & <https://evil.example|us>?';
    const options = [{ label: 'Yes' }, { label: '<b>No</b>' }];
    await ask(ledger, project, { sourceId: 'now', questions: [{ id: 'q1', text, options }] });
    const [notice] = await hooked.has(1);
    expect(hooked.received).toHaveLength(1);
    expect(notice?.body.text).toContain('Tell &lt;!channel&gt; &amp; &lt;https://evil.example|us&gt;?');
    expect(notice?.body.text).toContain('• &lt;b&gt;No&lt;/b&gt;');
    expect(linkIn(notice?.body.text)).toMatch(new RegExp(`^${hub.url}/a/`));
    expect(notice?.headers['idempotency-key']).toBe(`${project}:2:${hooked.sink.name}`);
  });

  it('is sent again, with the same key, until it was taken (CHAN-4)', { timeout: 30_000 }, async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver([500]);
    await testHub(store, { sinks: [hooked.sink] });
    await ask(ledger, project);
    const [first, second] = await hooked.has(2);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    const left = () => store.sql('select * from notices where project_id = ?', project);
    await expect.poll(left).toEqual([]);
  });

  it('one that a hub had in its hands when it died is sent by another, with the same key (CHAN-4, HUB-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const sink = hooked.sink.name;
    await ledger.notices.addSink(sink);
    await ask(ledger, project);
    await ledger.notices.collect(sink);
    const [taken] = await ledger.notices.takeDue(sink, 10);
    expect(await ledger.notices.takeDue(sink, 10), 'while the first may still be at it').toEqual([]);
    // A minute later: whoever had it gave no sign.
    await store.sql('update notices set due_at = due_at - 60000 where sink = ?', sink);
    await testHub(store, { sinks: [hooked.sink] });
    const [notice] = await hooked.has(1);
    expect(notice?.headers['idempotency-key']).toBe(taken?.key);
  });

  it('what is never taken is given up after 14 attempts, told, and waits in the inbox (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver([500]);
    const sink = hooked.sink.name;
    await ledger.notices.addSink(sink);
    const { id } = await ask(ledger, project);
    await ledger.notices.collect(sink);
    await store.sql('update notices set attempts = 13 where sink = ?', sink);
    const reported = new Promise<unknown>((report) => {
      void testHub(store, { sinks: [hooked.sink], report });
    });
    expect(await reported).toMatchObject({
      message: `The notice of ${id} could not be sent by ${sink}: ${hooked.url.host} answered with 500. It waits in the inbox.`,
    });
    expect(await ledger.notices.takeDue(sink, 10)).toEqual([]);
    expect((await ledger.notifications.get(project, id)).status).toBe('open');
  });

  it('what was settled before it went out is not sent; a redirect is not followed (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver([302]);
    await ledger.notices.addSink(hooked.sink.name);
    const settled = await ask(ledger, project, { sourceId: 'settled' });
    await ledger.notifications.withdraw(project, settled.id, 'Over.', person);
    await ask(ledger, project, { sourceId: 'open' });
    await testHub(store, { sinks: [hooked.sink] });
    await hooked.has(1);
    const waiting = () =>
      store.sql<{ error: string | null }>('select error from notices where project_id = ?', project);
    await expect.poll(async () => (await waiting())[0]?.error).toMatch(/answered with 302/);
    expect(hooked.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(hooked.received[0]?.body.text).toContain('open');
  });

  it('two hubs with one sink send each notice once (CHAN-4, HUB-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    await testHub(store, { sinks: [hooked.sink] });
    await testHub(store, { sinks: [hooked.sink] });
    for (let n = 0; n < 10; n++) await ask(ledger, project, { sourceId: `s${n}` });
    await hooked.has(10);
    await expect.poll(() => store.sql('select * from notices where project_id = ?', project)).toEqual([]);
    expect(new Set(hooked.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(10);
    expect(hooked.received).toHaveLength(10);
  });

  it('a reminder goes out too, and deadlines are kept though nobody waits (CHAN-3, CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    await testHub(store, { sinks: [hooked.sink] });
    const remind = await ask(ledger, project, { sourceId: 'remind', policy: { kind: 'remind', after: 0.5 } });
    const skip = await ask(ledger, project, { sourceId: 'skip', policy: { kind: 'skip', after: 0.2 } });
    const fail = await ask(ledger, project, { sourceId: 'fail', policy: { kind: 'fail', after: 0.2 } });
    const answers = { q1: 'SQLite' };
    const given = await ask(ledger, project, {
      sourceId: 'default',
      policy: { kind: 'default', after: 0.2, answers },
    });
    const status = async (id: string) => (await ledger.notifications.get(project, id)).status;
    await expect.poll(() => status(skip.id)).toBe('skipped');
    await expect.poll(() => status(fail.id)).toBe('expired');
    await expect.poll(() => status(given.id)).toBe('answered');
    const { responses } = await ledger.notifications.get(project, given.id);
    expect(responses).toMatchObject([
      { answer: 'SQLite', by: { actor: { kind: 'policy', name: 'default' } } },
    ]);
    await expect
      .poll(() => hooked.received.some(({ body }) => body.text.startsWith('*Still waiting')))
      .toBe(true);
    await ledger.notifications.withdraw(project, remind.id, 'Enough.', person);
  });

  it('ntfy gets its topic, a title and a button for the link (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const server = await receiver();
    const sink = { ...ntfySink(new URL('/my-topic', server.url), 'tk_secret'), name: server.sink.name };
    await testHub(store, { sinks: [sink], publicUrl: new URL('https://hub.example.org') });
    await ask(ledger, project, { questions: ['Grün oder blau?'] });
    const [notice] = await server.has(1);
    expect(notice).toMatchObject({
      path: '/',
      headers: { authorization: 'Bearer tk_secret' },
      body: { topic: 'my-topic', message: 'Grün oder blau?', actions: [{ label: 'Answer' }] },
    });
    expect(notice?.body.click).toMatch(/^https:\/\/hub\.example\.org\/a\//);
  });

  it('a link shows its question, answers it once, and is good for nothing else (CHAN-4, HUB-3)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const text = '<script>alert(1)</script>';
    const questions = [
      { id: 'q1', text, options: [{ label: 'Yes"><script>' }, { label: 'No' }] },
      { id: 'q2', text: 'And?' },
    ];
    const { id } = await ask(ledger, project, { questions });
    const [notice] = await hooked.has(1);
    const link = linkIn(notice?.body.text);
    const post = (url: string, body: string, origin = hub.url) =>
      request(url, 'POST', body, { origin, 'content-type': 'application/x-www-form-urlencoded' });
    const state = async () => (await ledger.notifications.get(project, id)).responses;

    const shown = await request(link, 'GET');
    await request(link, 'GET');
    await request(link, 'HEAD');
    expect(shown.status).toBe(200);
    expect(shown.body).toContain('&#60;script&#62;alert(1)');
    expect(shown.body).not.toContain('<script>');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await state()).toEqual([]);

    expect((await post(link, 'option=No', 'http://evil.example')).status).toBe(403);
    expect((await post(link, '')).status).toBe(400);
    const [body = '', signature = ''] = link.split('/a/')[1]?.split('.') ?? [];
    const claim = JSON.parse(Buffer.from(body, 'base64url').toString());
    const altered = (change: (claim: unknown[]) => void) => {
      const other = structuredClone(claim);
      change(other);
      return `${hub.url}/a/${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`;
    };
    const bad = [
      altered((c) => c.splice(2, 1, 'q2')),
      altered((c) => c.splice(3, 1, Date.now() + 1e12)),
      `${link}x`,
      `${link}.x`,
      `${hub.url}/a/${body}`,
      `${hub.url}/a/${body}.${'A'.repeat(signature.length)}`,
      `${hub.url}/a/nonsense`,
    ];
    for (const url of bad) {
      expect((await request(url, 'GET')).status, url).toBe(404);
      expect((await post(url, 'option=No')).status, url).toBe(404);
    }
    expect(await state()).toEqual([]);

    expect((await post(link, 'option=No')).body).toContain('Your answer is stored.');
    expect(await state()).toMatchObject([
      {
        questionId: 'q1',
        answer: 'No',
        by: { actor: { kind: 'person', name: `link by ${hooked.sink.name}` }, channel: 'web' },
      },
    ]);
    for (const again of ['option=No', 'text=Other']) expect((await post(link, again)).status).toBe(409);
    expect((await request(link, 'GET')).status).toBe(409);
    expect(await state()).toHaveLength(1);
  });

  it('a link takes an option with a blank only with what belongs there (CHAN-2, CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const questions = [
      { id: 'q1', text: 'When?', options: ['Always', 'Only here: …'] },
      { id: 'q2', text: 'What else?', multi: true, options: ['A', 'These: …', 'Those: …'] },
    ];
    const { id } = await ask(ledger, project, { questions });
    const [notice] = await hooked.has(1);
    const found = [...String(notice?.body.text).matchAll(/<(http[^|]+)\|Answer>/g)];
    const [one = '', two = ''] = found.map(([, url]) => url);
    const post = (url: string, fields: [string, string][]) =>
      request(url, 'POST', String(new URLSearchParams(fields)), {
        origin: hub.url,
        'content-type': 'application/x-www-form-urlencoded',
      });
    expect((await request(one, 'GET')).body).toContain('What belongs in place of');
    const literally = await post(one, [['option', 'Only here: …']]);
    expect(literally.status).toBe(400);
    expect(literally.body).toContain('has a blank: write the answer out');
    const both = [
      ['option', 'These: …'],
      ['option', 'Those: …'],
      ['text', 'x'],
    ] as [string, string][];
    expect((await post(two, both)).status).toBe(400);
    expect((await ledger.notifications.get(project, id)).responses).toEqual([]);

    expect(
      (
        await post(one, [
          ['option', 'Only here: …'],
          ['text', ' Firefox '],
        ])
      ).status,
    ).toBe(200);
    expect(
      (
        await post(two, [
          ['option', 'A'],
          ['option', 'These: …'],
          ['text', 'B'],
        ])
      ).status,
    ).toBe(200);
    expect((await ledger.notifications.get(project, id)).responses).toMatchObject([
      { answer: 'Only here: Firefox' },
      { answer: ['A', 'These: B'] },
    ]);
  });

  it('a link is good for a week, and then shows and takes nothing (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const { id } = await ask(ledger, project, { questions: [{ id: 'q1', text: 'Deploy?' }] });
    const [notice] = await hooked.has(1);
    const link = linkIn(notice?.body.text);
    const post = () => request(link, 'POST', 'text=Yes', { origin: hub.url });
    const sent = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const week = 7 * 86_400_000;
    vi.setSystemTime(sent + week - 600_000);
    expect((await request(link, 'GET')).status).toBe(200);
    vi.setSystemTime(sent + week + 1000);
    for (const late of [await request(link, 'GET'), await post()]) {
      expect(late.status).toBe(410);
      expect(late.body).toContain('This link has ended. Answer in the inbox.');
    }
    expect((await ledger.notifications.get(project, id)).responses).toEqual([]);
  });

  it('a link is for one wording (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    await testHub(store, { sinks: [hooked.sink] });
    const { id } = await ask(ledger, project, { questions: [{ id: 'q1', text: 'Deploy to test?' }] });
    const [notice] = await hooked.has(1);
    const link = linkIn(notice?.body.text);
    const other = JSON.stringify([
      { id: 'q1', text: 'Deploy to production?', createdAt: '2026-01-01T00:00:00Z' },
    ]);
    await store.sql('update open_questions set questions = ? where id = ?', other, id);
    expect((await request(link, 'GET')).status).toBe(404);
  });
});

it('only the environment says where notices go, and what is wrong with it is told without the address (CHAN-4)', () => {
  const names = (env: Record<string, string>) => sinksFromEnv(env).map(({ name }) => name);
  expect(names({})).toEqual([]);
  expect(
    names({
      FERMATA_NOTIFY_WEBHOOK: 'https://hooks.example/T/B/secret',
      FERMATA_NOTIFY_NTFY: 'https://ntfy.example/topic',
      FERMATA_NOTIFY_DESKTOP: '1',
    }),
  ).toEqual(['webhook', 'ntfy', 'desktop']);
  for (const wrong of ['file:///etc/passwd', 'secret', 'https://user:pw@host/']) {
    expect(() => names({ FERMATA_NOTIFY_WEBHOOK: wrong })).toThrow(
      /^FERMATA_NOTIFY_WEBHOOK is no address[^:]*:\/\/ or http:\/\/\.$/,
    );
  }
  expect(() => names({ FERMATA_NOTIFY_NTFY: 'https://ntfy.sh/' })).toThrow(/topic/);
});

it('the desktop gets texts as arguments, never as a script (CHAN-4)', () => {
  const notice = {
    title: '--help"; do shell script',
    questions: [{ text: '<b>$(rm)</b>\u001b[2J', options: [] }],
  };
  expect(desktopCommand('linux', notice)).toEqual([
    'notify-send',
    '--app-name=Fermata',
    '--',
    '--help"; do shell script',
    '&lt;b&gt;$(rm)&lt;/b&gt;',
  ]);
  expect(desktopCommand('darwin', notice).slice(-2)).toEqual(['--help"; do shell script', '<b>$(rm)</b>']);
});
