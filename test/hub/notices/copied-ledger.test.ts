import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../../ledger/support/ask.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import type { TestStore } from '../../ledger/support/test-store.ts';
import { freshFolder } from '../../support/fermata.ts';
import { request, testHub } from '../support/hub.ts';
import { linkIn, receiver } from '../support/receiver.ts';

eachStoreInLong((store) => {
  it('BIND-23 nothing in a copy of the ledger is the key of an answer link, or a token', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const hub = await testHub(store, { sinks: [hooked.sink] });
    await hub.call('POST', '/tokens', { name: `colleague of ${project}`, role: 'human' });
    const { id, questions } = await ask(ledger, project, {
      questions: [{ id: 'q1', text: 'May I delete the production database?', options: ['Yes', 'No'] }],
    });
    const [notice] = await hooked.has(1);
    const [claim = ''] = linkIn(notice?.body.text).split('/a/')[1]?.split('.') ?? [];
    const [question] = questions;
    const labels = question?.options?.map((option) => [option.id ?? null, option.label]);
    const wording = JSON.stringify([question?.text, labels, false]);

    const values = await everyValue(store);
    expect(values).toContain(`colleague of ${project}`);
    const keys = values.flatMap((value) => [
      Buffer.from(value),
      Buffer.from(value, 'base64url'),
      Buffer.from(value, 'hex'),
    ]);
    for (const key of keys) {
      const signature = createHmac('sha256', key).update(`${claim}\n${wording}`).digest('base64url');
      expect((await request(`${hub.url}/a/${claim}.${signature}`, 'GET')).status).toBe(404);
    }
    for (const value of values.filter((each) => /^[\w-]{20,200}$/.test(each))) {
      const { status } = await hub.get('/projects', { authorization: `Bearer ${value}` });
      expect(status).toBe(401);
    }
    expect((await ledger.notifications.get(project, id)).status).toBe('open');
  });

  const asked = { questions: [{ id: 'q1', text: 'Deploy?' }] };

  it('BIND-23 hubs with one key accept each other’s links; another hub reports them and reveals nothing', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    const key = 'x'.repeat(32);
    await testHub(store, { sinks: [hooked.sink], key });
    const reported: unknown[] = [];
    const same = await testHub(store, { key });
    const other = await testHub(store, { report: (error) => reported.push(error) });
    const { id } = await ask(ledger, project, asked);
    const [notice] = await hooked.has(1);
    const path = new URL(linkIn(notice?.body.text)).pathname;

    const refused = await request(other.url + path, 'GET');
    await request(other.url + path, 'GET');
    const nonsense = await request(`${other.url}/a/nonsense`, 'GET');
    expect([refused.status, refused.body]).toEqual([404, nonsense.body]);
    expect(reported.map(String)).toEqual([expect.stringContaining('FERMATA_KEY')]);

    const answered = await request(same.url + path, 'POST', 'text=Yes', { origin: same.url });
    expect(answered.status).toBe(200);
    expect((await ledger.notifications.get(project, id)).status).toBe('answered');
  });

  it('BIND-23 after a restart links still work; without the key file only old links stop working', async () => {
    const { ledger, project } = await store.start();
    const home = freshFolder();
    const hooked = await receiver();
    const options = { sinks: [hooked.sink], home, report: () => undefined };
    const first = await testHub(store, options);
    const colleague = await first.call('POST', '/tokens', { name: `colleague of ${project}`, role: 'human' });
    const { id } = await ask(ledger, project, asked);
    const [notice] = await hooked.has(1);
    const path = new URL(linkIn(notice?.body.text)).pathname;
    await first.stop();
    const second = await testHub(store, options);
    expect((await request(second.url + path, 'GET')).status).toBe(200);
    await second.stop();

    rmSync(join(home, 'hub-key'));
    const third = await testHub(store, options);
    expect((await request(third.url + path, 'GET')).status).toBe(404);
    const { secret } = colleague.body.data;
    expect((await third.get('/projects', { authorization: `Bearer ${secret}` })).status).toBe(200);
    const later = await ask(ledger, project, { questions: [{ id: 'q1', text: 'And to production?' }] });
    const notices = await hooked.has(2);
    const fresh = linkIn(notices[1]?.body.text);
    expect((await request(fresh, 'POST', 'text=Yes', { origin: third.url })).status).toBe(200);
    expect((await ledger.notifications.get(project, later.id)).status).toBe('answered');
    expect((await ledger.notifications.get(project, id)).status).toBe('open');
  });

  it('BIND-23 a short FERMATA_KEY is refused', async () => {
    await store.start();
    await expect(testHub(store, { key: 'guessable' })).rejects.toThrow(/FERMATA_KEY is too short/);
  });
});

/** What a read-only copy of the store has in all its tables. */
async function everyValue({ name, sql }: TestStore): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    name === 'SQLite'
      ? "select name from sqlite_master where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const rows = await Promise.all(tables.map((table) => sql<object>(`select * from "${table.name}"`)));
  return [...new Set(rows.flat().flatMap((row) => Object.values(row).map(String)))];
}
