import { expect, it } from 'vitest';
import { ask } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { testHub } from '../support/hub.ts';
import { linkIn, receiver } from '../support/receiver.ts';

eachStoreInLong((store) => {
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

  it('a notice is sent again, with the same key, until it is accepted (CHAN-4)', {
    timeout: 120_000,
  }, async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver([500]);
    await testHub(store, { sinks: [hooked.sink] });
    await ask(ledger, project);
    const [first, second] = await hooked.has(2);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    const left = () => store.sql('select * from notices where project_id = ?', project);
    await expect.poll(left).toEqual([]);
  });

  it('a notice that a hub was sending when it died is sent by another hub, with the same key (CHAN-4, HUB-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const sink = hooked.sink.name;
    await ledger.notices.addSink(sink);
    await ask(ledger, project);
    await ledger.notices.collect(sink);
    const [taken] = await ledger.notices.takeDue(sink, 10);
    expect(await ledger.notices.takeDue(sink, 10), 'while the first may still be at it').toEqual([]);
    // A minute later, its sender has not reported.
    await store.sql('update notices set due_at = due_at - 60000 where sink = ?', sink);
    await testHub(store, { sinks: [hooked.sink] });
    const [notice] = await hooked.has(1);
    expect(notice?.headers['idempotency-key']).toBe(taken?.key);
  });

  it('a question of a session is sent after a minute if somebody sits there, and at once if nobody does (SES-6)', async () => {
    const { ledger, project } = await store.start();
    await ledger.notices.addSink('phone');
    const resume = (attended: boolean) => ({ agent: 'claude', session: { attended } });
    await ask(ledger, project, { sourceId: 'there', resume: resume(true) });
    const away = await ask(ledger, project, { sourceId: 'away', resume: resume(false) });
    await ledger.notices.collect('phone');
    const due = await ledger.notices.takeDue('phone', 10);
    expect(due.map(({ notification }) => notification.id)).toEqual([away.id]);
    const next = await ledger.notices.nextDue('phone');
    expect((next ?? 0) - Date.now()).toBeGreaterThan(30_000);
    await store.sql('update notices set due_at = due_at - 60000 where attempts = 0');
    expect(await ledger.notices.takeDue('phone', 10)).toMatchObject([
      { notification: { sourceId: 'there' } },
    ]);
  });

  it('a notice that nobody accepts is given up after 14 attempts and reported; the question waits in the inbox (CHAN-4)', async () => {
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
      message: `Could not send the notification for ${id} with ${sink}: ${hooked.url.host} answered with 500. It is waiting in the inbox.`,
    });
    expect(await ledger.notices.takeDue(sink, 10)).toEqual([]);
    expect((await ledger.notifications.get(project, id)).status).toBe('open');
  });

  it('a notice about a question that is already settled is not sent; a redirect is not followed (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver([302]);
    await ledger.notices.addSink(hooked.sink.name);
    const settled = await ask(ledger, project, { sourceId: 'settled' });
    await ledger.notifications.withdraw(project, settled.id, 'Over.', ann);
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
});
