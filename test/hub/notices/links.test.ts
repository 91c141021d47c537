import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../ledger/support/ask.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { request, testHub } from '../support/hub.ts';
import { linkIn, receiver } from '../support/receiver.ts';

eachStoreInLong((store) => {
  it('a link shows its question, answers it once, and cannot do anything else (CHAN-4, HUB-3)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const text = '<script>alert(1)</script>';
    const questions = [
      { id: 'q1', text, options: [{ label: 'Yes"><script>' }, { label: 'No' }], recommended: 'No' },
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
    expect(shown.body).toContain('No <b>recommended</b>');
    const { name } = await ledger.projects.get(project);
    expect(shown.body).toContain(`<p class="dim">${name} · `);
    const policy = shown.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(await state()).toEqual([]);

    expect((await post(link, 'option=No', 'http://evil.example')).status).toBe(403);
    expect((await request(link, 'POST', 'option=No')).status).toBe(403);
    expect((await post(link, '')).status).toBe(400);
    const [body = '', signature = ''] = link.split('/a/')[1]?.split('.') ?? [];
    const claim = JSON.parse(Buffer.from(body.slice('fermata_'.length), 'base64url').toString());
    const altered = (change: (claim: unknown[]) => void) => {
      const other = structuredClone(claim);
      change(other);
      return `${hub.url}/a/fermata_${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`;
    };
    const bad = [
      altered((c) => c.splice(2, 1, 'q2')),
      altered((c) => c.splice(3, 1, Date.now() + 1e12)),
      link.replace('/a/fermata_', '/a/'),
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

  it('a link takes only what its page offers (CHAN-4, BIND-9)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    const options = ['Yes', 'No'];
    const { id } = await ask(ledger, project, { questions: [{ id: 'q1', text: 'Deploy?', options }] });
    const approval = await ask(ledger, project, {
      source: 'approval',
      questions: [{ id: 'q1', text: 'May I run "make"?' }],
    });
    const notices = await hooked.has(2);
    const links = notices.map(({ body }) => linkIn(body.text));
    const linkTo = (text: string) => links[notices.findIndex(({ body }) => body.text.includes(text))] ?? '';
    const post = async (link: string, body: string) =>
      (await request(link, 'POST', body, { origin: hub.url })).status;

    const plain = linkTo('Deploy?');
    expect((await request(plain, 'GET')).body).toContain('<textarea');
    expect(await post(plain, 'option=Maybe')).toBe(400);
    expect(await post(plain, 'option=Yes&option=No')).toBe(400);
    expect(await post(plain, 'text=Only+on+Monday')).toBe(200);
    expect((await ledger.notifications.get(project, id)).responses).toMatchObject([
      { answer: 'Only on Monday' },
    ]);

    const yesOrNo = linkTo('make');
    expect((await request(yesOrNo, 'GET')).body).not.toContain('<textarea');
    for (const body of ['text=Approve', 'option=Reject&text=Approve', 'option=Maybe'])
      expect(await post(yesOrNo, body)).toBe(400);
    expect((await ledger.notifications.get(project, approval.id)).status).toBe('open');
    expect(await post(yesOrNo, 'option=Reject')).toBe(200);
  });

  it('a link accepts an option with a blank only if the blank is filled in (CHAN-2, CHAN-4)', async () => {
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
    expect((await request(one, 'GET')).body).toContain('Text to fill in for');
    const literally = await post(one, [['option', 'Only here: …']]);
    expect(literally.status).toBe(400);
    expect(literally.body).toContain('has a blank to fill in');
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

  it('a link is valid for a week, and then shows and accepts nothing (CHAN-4)', async () => {
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
      expect(late.body).toContain('This link has expired. Answer in the inbox.');
    }
    expect((await ledger.notifications.get(project, id)).responses).toEqual([]);
  });

  it('a store failure does not make a link invalid: the page says to try again, reveals no details, and then answers (CHAN-4, HUB-3)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const reported: unknown[] = [];
    const report = (error: unknown) => reported.push(error);
    const hub = await testHub(store, { sinks: [hooked.sink], report });
    const { id } = await ask(ledger, project, { questions: [{ id: 'q1', text: 'Deploy?' }] });
    const [notice] = await hooked.has(1);
    const link = linkIn(notice?.body.text);
    const post = () => request(link, 'POST', 'text=Yes', { origin: hub.url });
    const failing = [];
    await store.sql('alter table open_questions rename to open_questions_away');
    try {
      failing.push(await request(link, 'GET'), await post());
    } finally {
      await store.sql('alter table open_questions_away rename to open_questions');
    }
    failing.push(await store.whileFailing('open_questions', 'update', post));
    for (const { status, body } of failing) {
      expect(status).toBeGreaterThanOrEqual(500);
      expect(body).toMatch(/<h1>Not answered<\/h1>.*terminal/s);
      expect(body).not.toMatch(/open_questions|not good|sql/i);
    }
    expect(reported.length).toBeGreaterThanOrEqual(failing.length);
    expect((await ledger.notifications.get(project, id)).responses).toEqual([]);
    expect((await post()).body).toContain('Your answer is stored.');
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
