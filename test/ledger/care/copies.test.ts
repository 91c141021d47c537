import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { backUp, exportTo } from '../../../src/ledger/care/back-up.ts';
import { tableNames } from '../../../src/ledger/care/kept-tables.ts';
import { importFrom, restoreTo } from '../../../src/ledger/care/restore.ts';
import type { Store } from '../../../src/ledger/engine/store.ts';
import { ledgerOn } from '../../../src/ledger/ledger.ts';
import { freshDatabase, postgresMissing } from '../../support/fresh-database.ts';
import { ask, history, refusal } from '../support/ask.ts';
import { ann } from '../support/people.ts';
import { exported, fill, folder, openedStore } from './support/filled.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function filledFile(): Promise<{ dir: string; store: Store }> {
  const dir = folder();
  const store = await openedStore(join(dir, 'ledger.db'));
  await fill(store);
  return { dir, store };
}

describe('a backup', () => {
  it('OPS-1 of a ledger in use has everything that was acknowledged, and opens elsewhere', async () => {
    const { dir, store } = await filledFile();
    const ledger = ledgerOn(store, {});
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const { id } = await ask(
          ledger,
          'p',
          { sourceId: `w${writer}-${n}`, questions: [`Question ${n}?`] },
          ann,
        );
        acknowledged.push(id);
      }
    });
    while (acknowledged.length < 100) await new Promise((resolve) => setImmediate(resolve));
    const before = [...acknowledged];
    const file = join(dir, 'backup.db');
    expect(await backUp(store, file)).toMatchObject({ kind: 'file', bytes: statSync(file).size });
    isOver = true;
    await Promise.all(writers);
    const elsewhere = join(dir, 'elsewhere', 'ledger.db');
    expect(await restoreTo(elsewhere, file)).toEqual({});
    const restored = ledgerOn(await openedStore(elsewhere), {});
    const asked = (await history(restored, 'p')).flatMap(({ type, data }) =>
      type === 'notification.added' ? [data.notification.id] : [],
    );
    expect(asked).toEqual(expect.arrayContaining(before));
    expect([file, elsewhere].map(mode)).toEqual(['600', '600']);
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('OPS-1 does not replace a file, and leaves nothing if it is interrupted', async () => {
    const { dir, store } = await filledFile();
    const file = join(dir, 'backup.db');
    writeFileSync(file, 'mine');
    expect(await refusal(backUp(store, file))).toMatchObject({ code: 'conflict' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const signal = AbortSignal.abort();
    const other = join(dir, 'other.db');
    await expect(backUp(store, other, { signal })).rejects.toThrow('abort');
    await expect(exportTo(store, other, { signal })).rejects.toThrow('abort');
    expect(readdirSync(dir).filter((name) => name.startsWith('other'))).toEqual([]);
  });

  const broken: [string, string, (file: string) => void, string][] = [
    ['that is cut off', 'damaged', (file) => truncateSync(file, statSync(file).size - 5000), 'has only'],
    ['of a newer version', 'newer_schema', (file) => execute(file, 'pragma user_version = 99'), 'version 99'],
    [
      'of another program',
      'damaged',
      (file) => execute(file, 'pragma application_id = 7'),
      'did not write it',
    ],
    ['that is a text', 'invalid', (file) => writeFileSync(file, 'Dear diary\n'), 'not an export'],
    ['with damaged pages', 'damaged', (file) => overwrite(file), 'not a complete backup'],
    [
      'whose rows do not fit together',
      'damaged',
      (file) => execute(file, "update tasks set unfinished = 7 where id = 'b'"),
      'waits for 7',
    ],
  ];
  it.each(broken)(
    'OPS-1 %s is refused in a sentence, and the ledger stays as it was',
    async (_, code, spoil, fact) => {
      const { dir, store } = await filledFile();
      const file = join(dir, 'backup.db');
      await backUp(store, file);
      spoil(file);
      const before = await exported(store);
      const error = await refusal(restoreTo(store.place, file));
      expect(error).toMatchObject({ code, message: expect.stringContaining(fact) });
      expect(error.message).toContain(file);
      expect(await exported(store)).toBe(before);
      expect(readdirSync(dir).filter((name) => !/^ledger\.db(-wal|-shm)?$|^backup\.db$/.test(name))).toEqual(
        [],
      );
    },
  );

  it('OPS-1 is not restored over a ledger in use', async () => {
    const { dir, store } = await filledFile();
    const file = join(dir, 'backup.db');
    await backUp(store, file);
    expect(await refusal(restoreTo(store.place, file))).toMatchObject({ code: 'busy' });
  });

  it('OPS-1 is not made of a damaged ledger', async () => {
    const { dir, store } = await filledFile();
    const file = join(dir, 'copy.db');
    await backUp(store, file);
    overwrite(file);
    const damaged = await openedStore(file);
    expect(await refusal(backUp(damaged, join(dir, 'backup.db')))).toMatchObject({ code: 'damaged' });
    expect(readdirSync(dir)).not.toContain('backup.db');
  });
});

describe('an export', () => {
  it.skipIf(postgresMissing !== undefined)(
    'OPS-1 from SQLite to PostgreSQL and back is the same, and numbers go on',
    async () => {
      const { dir, store } = await filledFile();
      const before = await exported(store);
      for (const table of ['open_questions', 'events', 'decisions', 'tasks', 'task_chat', 'runs'])
        expect(before).toContain(`{"table":"${table}"`);
      const file = join(dir, 'export.jsonl');
      await exportTo(store, file);
      expect(mode(file)).toBe('600');
      const server = await openedStore(await freshDatabase());
      await importFrom(server, file);
      expect(await exported(server)).toBe(before);
      const back = join(dir, 'back.jsonl');
      expect(await backUp(server, back)).toMatchObject({ kind: 'export' });
      const again = join(dir, 'again.db');
      await restoreTo(again, back);
      const restored = await openedStore(again);
      expect(await exported(restored)).toBe(before);
      for (const each of [server, restored]) {
        const ledger = ledgerOn(each, {});
        const { lastEvent } = await ledger.projects.get('p');
        await ledger.tasks.say('p', 'a', 'And careful.', {
          actor: { kind: 'person', name: 'ann' },
          channel: 'command',
        });
        expect((await ledger.projects.get('p')).lastEvent).toBe(lastEvent + 1);
      }
    },
  );

  const broken: [string, (lines: string[]) => string[], string, string][] = [
    [
      'with a line that is cut off',
      ([head = '', ...rest]) => [head, (rest[0] ?? '').slice(0, 40), ...rest.slice(1)],
      'invalid',
      'Line 2',
    ],
    ['without its end', (lines) => lines.slice(0, -3), 'invalid', 'not complete'],
    ['with a row twice', (lines) => [...lines.slice(0, 3), ...lines.slice(2)], 'invalid', 'Line 4'],
    ['with an unknown table', (lines) => [...lines, '{"table":"pets","row":{}}'], 'invalid', '"pets"'],
    [
      'with a missing column',
      (lines) => lines.map((line) => line.replace('"name":"p",', '')),
      'invalid',
      'name is missing',
    ],
    [
      'of a newer version',
      (lines) => lines.map((line) => line.replace('"version":1,', '"version":99,')),
      'newer_schema',
      'version 99',
    ],
    ['that is empty', () => [], 'invalid', 'empty'],
    [
      'whose rows do not fit together',
      (lines) => lines.map((line) => line.replace('"unfinished":1', '"unfinished":3')),
      'invalid',
      'waits for 3',
    ],
  ];
  it.each(broken)(
    'OPS-1 %s is refused in a sentence, and nothing of it is stored',
    async (_, spoil, code, fact) => {
      const { dir, store } = await filledFile();
      const file = join(dir, 'export.jsonl');
      const lines = (await exported(store)).trimEnd().split('\n');
      writeFileSync(
        file,
        spoil(lines)
          .map((line) => `${line}\n`)
          .join(''),
      );
      const empty = await openedStore(join(dir, 'empty.db'));
      const before = await exported(empty);
      expect(await refusal(importFrom(empty, file))).toMatchObject({
        code,
        message: expect.stringContaining(fact),
      });
      expect(await exported(empty)).toBe(before);
    },
  );

  it('OPS-1 is not imported into a ledger that has something', async () => {
    const { dir, store } = await filledFile();
    const file = join(dir, 'export.jsonl');
    await exportTo(store, file);
    expect(await refusal(importFrom(store, file))).toMatchObject({ code: 'conflict' });
  });

  it('OPS-1 has every table of the ledger but those that only one store can use', async () => {
    const { store } = await filledFile();
    const passing = ['agent_rates', 'workers', 'sqlite_sequence'];
    const connection = new DatabaseSync(store.place);
    const tables = connection.prepare("select name from sqlite_master where type = 'table'").all();
    connection.close();
    expect([...tableNames, ...passing].sort()).toEqual(tables.map(({ name }) => name).sort());
  });
});

function execute(file: string, sql: string): void {
  const connection = new DatabaseSync(file);
  connection.exec(`pragma journal_mode = delete; ${sql}`);
  connection.close();
}

/** Writes garbage over the pages with which some indexes begin. */
function overwrite(file: string): void {
  const connection = new DatabaseSync(file);
  connection.exec('pragma journal_mode = delete');
  const roots = connection
    .prepare("select rootpage from sqlite_master where name like 'open_questions_%'")
    .all();
  connection.close();
  const bytes = readFileSync(file);
  for (const { rootpage } of roots as { rootpage: number }[])
    bytes.fill(0x5a, (rootpage - 1) * 4096, rootpage * 4096);
  writeFileSync(file, bytes);
}
