import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { retry, schedules } from '../../files/retry.ts';
import { makeFolder } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';
import { watchCounter } from './change-hints.ts';
import { groupCommit, type Transaction } from './group-commit.ts';
import { openLog } from './log.ts';
import { migrationsAfter, schemaVersion, supported } from './migrations.ts';
import { type Identity, identityOf, watchFiles } from './opened-files.ts';
import { quickCheck } from './quick-check.ts';
import { refuseLongPath, refuseUnsafeDrive } from './refuse-place.ts';
import { type Connection, sqliteRunner } from './runners.ts';
import type { Snapshot, SqlRunner, Store } from './store.ts';
import { storeError } from './store-error.ts';

/** 32 MB: under load, the committing process copies the log into the database eight times less often than by default. */
const WAL_PAGES = 8000;
/** Marks a file as a ledger; the number is arbitrary. */
export const APPLICATION_ID = 0x46_45_52_4d;

/** The embedded store: one file, shared by any number of processes. */
export async function openSqlite(path: string): Promise<Store> {
  try {
    return await open(path);
  } catch (error) {
    throw storeError(error, path);
  }
}

async function open(path: string): Promise<Store> {
  prepareFile(path);
  const identity = identityOf(path);
  const writer = new DatabaseSync(path);
  try {
    await prepareWriter(writer, path);
    const reader = new DatabaseSync(path);
    reader.exec('pragma busy_timeout = 2000; pragma query_only = on');
    return storeOn(writer, reader, path, identity);
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Reads the version before it changes anything. */
async function prepareWriter(writer: Connection, path: string): Promise<void> {
  writer.exec('pragma busy_timeout = 20; pragma foreign_keys = on');
  // Otherwise SQLite writes a savepoint's undo data to a file once it exceeds a few pages.
  writer.exec('pragma temp_store = memory');
  await untilFree(() => versionOf(writer, path));
  await untilFree(() => writer.exec('pragma journal_mode = wal; pragma synchronous = normal'));
  // Only matters on macOS, where a plain flush leaves a checkpoint in the disk's cache.
  writer.exec('pragma checkpoint_fullfsync = on');
  writer.exec(`pragma wal_autocheckpoint = ${WAL_PAGES}`);
  await migrate(writer, path);
}

function storeOn(writer: Connection, reader: Connection, path: string, identity: Identity): Store {
  const log = openLog(path);
  const writing = sqliteRunner(writer, path);
  const files = watchFiles(path, identity, log.file, () => writer.exec('pragma wal_checkpoint(truncate)'));
  const changes = watchCounter(reader, files.isLost);
  const reading = sqliteRunner(reader, path, files.requireKept);
  const begin = exclusive(async () => {
    files.requireKept();
    if (log.isLost()) await log.replace(() => copyLog(writing, path));
    return beginTransaction(writer, writing, path);
  });
  const { write, idle } = groupCommit({
    place: path,
    begin,
    async flush() {
      await log.flush();
      files.requireKept();
    },
    changed: changes.tell,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    changes.stop();
    await idle();
    // The driver frees a statement, and with it the file, only on garbage collection, so drop the references.
    for (const { forget } of [writing, reading, changes]) forget();
    reader.close();
    writer.close();
    log.close();
  };
  const store: Store = {
    dialect: 'sqlite',
    place: path,
    reader: reading,
    write,
    snapshot: (work) => onSnapshot(path, work),
    onChange: changes.listen,
    within: () => store,
    close() {
      closing ??= close();
      return closing;
    },
  };
  return store;
}

const PAGE = 500;

async function onSnapshot<T>(path: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const connection = new DatabaseSync(path);
  /** The driver crashes if a statement is collected while its rows are read. */
  const statements: unknown[] = [];
  try {
    connection.exec('pragma busy_timeout = 2000; pragma query_only = on; begin');
    const runner = sqliteRunner(connection, path);
    await runner.sql('select 1 from projects limit 1'); // the snapshot begins with the first read
    return await work({
      ...runner,
      async *pages<Row>(text: string) {
        const statement = connection.prepare(text);
        statements.push(statement);
        let page: Row[] = [];
        for (const row of statement.iterate()) {
          if (page.push(row as Row) < PAGE) continue;
          yield page;
          page = [];
        }
        yield page;
      },
    });
  } catch (error) {
    throw storeError(error, path);
  } finally {
    statements.length = 0;
    connection.close();
  }
}

/** Only the owner can read the folder and the file; SQLite gives its side files the mode of the main file. */
function prepareFile(path: string): void {
  if (path === ':memory:')
    throw new FermataError(
      'invalid',
      'A ledger in memory would lose answers that it confirmed. Pass a file.',
    );
  refuseLongPath(path);
  makeFolder(dirname(path));
  refuseUnsafeDrive(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

async function migrate(connection: Connection, path: string): Promise<void> {
  if (versionOf(connection, path) === schemaVersion) return;
  await untilFree(() => connection.exec('begin immediate'));
  try {
    for (const statement of migrationsAfter(versionOf(connection, path), 'sqlite'))
      connection.exec(statement);
    connection.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${schemaVersion}`);
    connection.exec('commit');
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  }
}

/** Its version, 0 for a new file. Refuses what this program does not understand. */
function versionOf(connection: Connection, path: string): number {
  const row = connection
    .prepare('select user_version, application_id from pragma_user_version, pragma_application_id')
    .get() as { user_version: number; application_id: number };
  return supported(row.user_version, row.application_id === APPLICATION_ID, path);
}

async function beginTransaction(
  connection: Connection,
  writing: SqlRunner,
  path: string,
): Promise<Transaction> {
  try {
    await untilFree(() => connection.exec('begin immediate'));
  } catch (error) {
    throw storeError(error, path);
  }
  try {
    // Another program may have upgraded the ledger since this one opened it.
    const [version] = await writing.sql<{ user_version: number }>('pragma user_version');
    supported(version?.user_version ?? 0, true, path);
  } catch (error) {
    connection.exec('rollback');
    throw error;
  }
  const end = (statement: 'commit' | 'rollback') => {
    try {
      connection.exec(statement);
    } catch (error) {
      throw storeError(error, path);
    }
  };
  return {
    ...writing,
    commit: async () => end('commit'),
    rollback: async () => {
      if (connection.isTransaction) end('rollback');
    },
  };
}

/** Retries while another process holds the lock, without blocking our event loop. */
const untilFree = <T>(attempt: () => T) => retry(schedules.sqliteBusy, ({ error }) => isBusy(error), attempt);

function isBusy(error: unknown): boolean {
  const code = ((error as { sqliteCode?: number } | undefined)?.sqliteCode ?? 0) & 0xff;
  return code === 5 || code === 6;
}

/** Starts transactions one after another, because the connection can have only one. */
function exclusive(begin: () => Promise<Transaction>) {
  let tail: Promise<void> = Promise.resolve();
  return async (): Promise<Transaction> => {
    const before = tail;
    let next: () => void = () => undefined;
    tail = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    try {
      const transaction = await begin();
      const { commit, rollback } = transaction;
      return {
        ...transaction,
        commit: () => commit().then(next),
        rollback: () => rollback().finally(next),
      };
    } catch (error) {
      next();
      throw error;
    }
  };
}

/** Puts everything of a log that could not be flushed into the file, and reads the file again. */
async function copyLog(writing: SqlRunner, path: string): Promise<boolean> {
  const [result] = await writing.sql<{ busy: number }>('pragma wal_checkpoint(truncate)');
  if (result?.busy !== 0) return false;
  const [damage] = await quickCheck(path);
  if (damage !== undefined) throw storeError(Object.assign(new Error(damage), { sqliteCode: CORRUPT }), path);
  return true;
}

const CORRUPT = 11;
