import { expect, it } from 'vitest';
import { schemaVersion } from '../../src/ledger/engine/migrations.ts';
import { eachStore } from '../ledger/support/stores.ts';
import { question, startHubOn } from './support/start.ts';

/** What the next version of Fermata may do to the tables under a hub of this version. */
const NEXT = [
  'alter table open_questions add column mood text',
  'alter table tasks add column mood integer not null default 0',
  'alter table events add column mood text',
  'create table moods (id text primary key)',
];

eachStore((store) => {
  it('TEAM-8 a hub of this version keeps working next to one of the next version, which added to the tables', async () => {
    const { hub, at } = await startHubOn(store);
    const ask = async (sourceId: string) =>
      (await hub.call('POST', `${at}/notifications`, { ...question, sourceId })).body.data.id as string;
    const asked = await ask('before');
    for (const statement of NEXT) await store.sql(statement);
    const next = schemaVersion + 1;
    if (store.name === 'SQLite') await store.sql(`pragma user_version = ${next}`);
    else await store.sql(`update fermata_schema set version = ${next}`);
    for (const id of [asked, await ask('after')]) {
      const answer = { responses: [{ questionId: 'q1', answer: 'SQLite' }] };
      expect((await hub.call('PATCH', `${at}/notifications/${id}`, answer)).status).toBe(200);
    }
    expect((await hub.call('POST', `${at}/tasks`, { title: 'Paint' })).status).toBe(201);
    expect((await hub.get(`${at}/events`)).body.data.length).toBeGreaterThanOrEqual(5);
    await expect(store.open()).rejects.toMatchObject({ code: 'newer_schema' });
    if (store.name === 'SQLite') await store.sql(`pragma user_version = ${schemaVersion}`);
    else await store.sql(`update fermata_schema set version = ${schemaVersion}`);
  });
});
