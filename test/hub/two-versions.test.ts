import { expect, it, onTestFinished } from 'vitest';
import { schemaVersion } from '../../src/ledger/engine/migrations.ts';
import { onPostgres } from '../ledger/support/stores.ts';
import { question, startHubOn } from './support/start.ts';

/** What the next version of Fermata may do to the tables under a hub of this version. */
const NEXT = [
  'alter table open_questions add column mood text',
  'alter table tasks add column mood integer not null default 0',
  'alter table events add column mood text',
  'create table moods (id text primary key)',
];
/** The next test file may get the same database. */
const BACK = [
  ...['open_questions', 'tasks', 'events'].map((table) => `alter table ${table} drop column mood`),
  'drop table moods',
];

onPostgres((store) => {
  it('TEAM-8 a hub of this version keeps working next to one of the next version, which added to the tables', async () => {
    const { hub, at } = await startHubOn(store);
    const ask = async (sourceId: string) =>
      (await hub.call('POST', `${at}/notifications`, { ...question, sourceId })).body.data.id as string;
    const asked = await ask('before');
    const become = (version: number) => store.sql(`update fermata_version set version = ${version}`);
    for (const statement of NEXT) await store.sql(statement);
    await become(schemaVersion + 1);
    onTestFinished(async () => {
      for (const statement of BACK) await store.sql(statement);
      await become(schemaVersion);
    });
    for (const id of [asked, await ask('after')]) {
      const answer = { responses: [{ questionId: 'q1', answer: 'SQLite' }] };
      expect((await hub.call('PATCH', `${at}/notifications/${id}`, answer)).status).toBe(200);
    }
    expect((await hub.call('POST', `${at}/tasks`, { title: 'Paint' })).status).toBe(201);
    expect((await hub.get(`${at}/events`)).body.data.length).toBeGreaterThanOrEqual(5);
    await expect(store.open()).rejects.toMatchObject({ code: 'newer_schema' });
  });
});
