import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { Notification, ResolveInput } from '../../src/schema/notification.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { freshFile } from './support/fresh-file.ts';
import { freshServer } from './support/fresh-server.ts';
import { ann } from './support/people.ts';
import type { FreshStore } from './support/test-store.ts';

/**
 * A ledger written by schema version 21, with something open of every kind: the statements that made its
 * tables, and its rows. Do not change either.
 */
const sql = (name: string) => readFileSync(join(import.meta.dirname, 'version-21', `${name}.sql`), 'utf8');

const stores = [
  { name: 'SQLite', make: freshFile, fill: fillFile, missing: undefined },
  { name: 'PostgreSQL', make: freshServer, fill: fillServer, missing: postgresMissing },
];

describe.each(stores)('a ledger of the version before on $name', ({ make, fill, missing }) => {
  async function oldStore(): Promise<FreshStore> {
    const store = await make();
    onTestFinished(async () => {
      expect(await store.leftovers(), 'what the test left open').toEqual([]);
      await store.remove();
    });
    await fill(store);
    return store;
  }

  it('says of each notification what it is and what it holds (LED-1)', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await oldStore();
    const ledger = await openLedger(store.place, {});
    const runs = new Map((await ledger.runs.list('shop')).map(({ id, sourceId }) => [id, sourceId]));
    const shown = (await everything(ledger)).map(({ sourceId, kind, holds }) => [
      sourceId.replace(/^f-.*/, 'feedback'),
      kind,
      holds.task ?? null,
      runs.get(holds.run ?? '')?.replace(/^f-.*/, 'feedback') ?? null,
    ]);
    expect(shown.sort()).toEqual([
      ['answered', 'question', 'answered', null],
      ['ask-0123456789', 'question', null, null],
      ['ask-9876543210', 'question', null, null],
      ['by-command', 'question', 'by-command', null],
      ['by-mcp', 'permission', 'by-mcp', null],
      ['by-run', 'question', 'by-run', 'by-run'],
      ['feedback', 'question', null, 'feedback'],
      ['goals', 'question', null, null],
      ['heard', 'question', null, null],
      ['needs-approval', 'approval', 'needs-approval', null],
      ['octo/shop', 'question', null, null],
      ['proposes', 'question', null, null],
      ['shop/1', 'gate', 'shop/1', null],
      ['shop/plan', 'gate', null, null],
      ['the-shop', 'permission', null, 'the-shop'],
      ['the-shop', 'question', null, 'the-shop'],
      ['the-shop', 'question', null, 'the-shop'],
      ['told', 'notice', null, null],
      ['two-questions', 'question', 'two-questions', null],
      ['two-questions', 'question', 'two-questions', null],
    ]);
    await ledger.close();
  });

  it('keeps no chat for a task that does not exist (LED-7)', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await oldStore();
    const ledger = await openLedger(store.place, {});
    const chats = await store.sql<{ task_id: string }>(
      'select distinct task_id from task_chat order by task_id',
    );
    expect(chats.map(({ task_id }) => task_id)).toEqual(['answered', 'free']);
    await ledger.close();
  });

  it('takes an answer to every open question, and every task continues (LED-4 LED-7)', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await oldStore();
    const ledger = await openLedger(store.place, {});
    for (const open of await openOnes(ledger)) {
      await ledger.notifications.resolve('shop', open.id, answerTo(open), ann);
    }
    expect(await openOnes(ledger)).toEqual([]);
    expect(await blocked(ledger)).toEqual([]);
    const [undelivered] = await ledger.notifications.undelivered('shop', 'execute', 'answered');
    expect(undelivered).toMatchObject({ status: 'answered', holds: { task: 'answered' } });
    await ledger.notifications.markDelivered('shop', undelivered?.id ?? '', ann);
    expect(await ledger.notifications.undelivered('shop', 'execute', 'answered')).toEqual([]);
    await ledger.close();
  });

  it('can be read: events, runs, phase records and consultations (LED-2)', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await oldStore();
    const ledger = await openLedger(store.place, {});
    const events = await ledger.events.list('shop', 0, 1000);
    expect(events.at(-1)?.number).toBe(events.length);
    expect(new Set(events.map(({ type }) => type)).size).toBe(8);
    const runs = await ledger.runs.list('shop');
    expect(runs.map(({ data }) => data)).toMatchObject([
      { for: 'role', consultation: 'f-g0hn68rp7a', prompt: 'Sort it.' },
      { for: 'review', about: 'hash' },
      { for: 'task', purpose: 'fix', findings: 'The tests fail.', continues: 'life-3', sandbox: true },
      { for: 'draft', idea: 'the shop', output: '/repo/plans/the-shop', agent: { agent: 'claude' } },
      { for: 'task', purpose: 'work', model: 'opus', rounds: 1 },
    ]);
    expect((await ledger.phases.list('shop', 'shop/1')).map(({ kind }) => kind)).toEqual([
      ...['started', 'implementation', 'gates', 'review', 'waived', 'failed', 'skipped'],
    ]);
    const consultations = await Promise.all(
      (['analyst', 'dreamer', 'planner'] as const).map((role) => ledger.consultations.list('shop', role)),
    );
    expect(consultations.flat().map(({ data, result }) => [data, result])).toMatchObject([
      [{ cwd: '/repo' }, { category: 'feature', summary: 'One task.', tasks: ['t9'] }],
      [{}, null],
      [{ agent: { agent: 'claude' } }, null],
      [{ section: 'Goals' }, { summary: 'Written.', section: 'Goals' }],
      [{ output: '/repo/plans/plan', agent: { agent: 'codex' } }, null],
    ]);
    await ledger.close();
  });

  it('keeps runs that other programs recorded, whatever their data says (LED-2 HUB-1)', async ({ skip }) => {
    if (missing) skip(missing);
    const store = await oldStore();
    const odd = [
      '{}',
      '{"command":"draft"}',
      '{"command":7}',
      '{"consultation":[]}',
      '{"mine":1,"for":null}',
    ];
    const ledger = await openLedger(store.place, {});
    const [run] = (await ledger.runs.list('shop')).filter(({ source }) => source === 'plan');
    for (const data of odd) {
      await store.sql(`update runs set data = '${data}' where id = '${run?.id}'`);
      const read = await ledger.runs.get('shop', run?.id ?? '');
      expect(read.data).toEqual({ ...JSON.parse(data), for: 'other' });
    }
    await ledger.close();
  });
});

it('the command line answers everything in a ledger of the version before (CLI-answer)', async () => {
  const home = freshFolder();
  const place = join(home, 'ledger.db');
  fillFile({ place });
  const env = { FERMATA_HOME: home };
  const inbox = async () =>
    JSON.parse((await fermata(['inbox', '--all', '--format', 'json'], { env })).stdout)
      .notifications as Notification[];
  const open = await inbox();
  expect(open).toHaveLength(16);
  for (const each of open) {
    const { code, stderr } = await fermata(['answer', each.id, ...valuesFor(each)], { env });
    expect({ id: each.sourceId, code, stderr: code === 0 ? '' : stderr }).toEqual({
      id: each.sourceId,
      code: 0,
      stderr: '',
    });
  }
  expect(await inbox()).toEqual([]);
  const ledger = await openLedger(place, {});
  expect(await blocked(ledger)).toEqual([]);
  await ledger.close();
});

function fillFile({ place }: Pick<FreshStore, 'place'>): void {
  const connection = new DatabaseSync(place);
  connection.exec(`begin;\n${sql('sqlite')}${sql('rows')}commit;`);
  connection.close();
}

async function fillServer(store: FreshStore): Promise<void> {
  const counted = ['task_chat', 'phase_records'].map(
    (table) => `select setval('${table}_id_seq', (select max(id) from ${table}))`,
  );
  await store.sql(`${sql('postgres')}${sql('rows')}${counted.join(';')}`);
}

async function everything(ledger: Ledger): Promise<Notification[]> {
  const status = ['open', 'answered', 'delivered'] as const;
  const { notifications } = await ledger.notifications.list({ status: [...status], limit: 100 });
  return [...notifications, ...(await ledger.notifications.recorded(100))];
}

const openOnes = async (ledger: Ledger) => (await ledger.notifications.list({ limit: 100 })).notifications;

/** The tasks that wait for an answer. */
const blocked = async (ledger: Ledger) =>
  (await ledger.tasks.list('shop')).filter(({ blockReason }) => blockReason === 'Open Question');

const valuesFor = ({ questions }: Notification) =>
  questions.map(({ options: [first] = [] }) => first?.label ?? 'As you think best');

function answerTo(open: Notification): ResolveInput {
  const values = valuesFor(open);
  return {
    responses: open.questions.map(({ id }, index) => ({ questionId: id, answer: values[index] ?? '' })),
  };
}
