import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makeFolder } from '../files/write-at-once.ts';

export type Connection = InstanceType<typeof DatabaseSync>;

/** The version of the tables below and of how documents are split. An index of another version is rebuilt. */
const VERSION = 2;
const BUSY_MS = 30_000;

const TABLES = `
create table if not exists documents (
  id integer primary key,
  hash text not null unique,
  first_passage integer not null,
  last_passage integer not null
);
create table if not exists files (
  root text not null,
  path text not null,
  stamp text not null,
  document integer not null,
  primary key (root, path)
) without rowid;
create index if not exists files_by_document on files (document, root);
create virtual table if not exists passages using fts5 (
  title, heading, body, hidden, document unindexed, first_line unindexed, last_line unindexed,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
create table if not exists vectors (
  passage integer not null,
  model text not null,
  vector blob not null,
  primary key (passage, model)
) without rowid;
pragma user_version = ${VERSION};`;

/** Opens the index. It can always be rebuilt, so a damaged one, or one of another version, is deleted. */
export function openIndexFile(file: string): Connection {
  makeFolder(dirname(file));
  try {
    return open(file);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
    return open(file);
  }
}

export function inTransaction<T>(connection: Connection, work: () => T): T {
  connection.exec('begin immediate');
  try {
    const result = work();
    connection.exec('commit');
    return result;
  } catch (error) {
    connection.exec('rollback');
    throw error;
  }
}

function open(file: string): Connection {
  closeSync(openSync(file, 'a', 0o600)); // SQLite would make it readable for others
  const connection = new DatabaseSync(file);
  try {
    connection.exec(
      `pragma busy_timeout = ${BUSY_MS}; pragma journal_mode = wal; pragma synchronous = normal`,
    );
    const version = connection.prepare('pragma user_version').get()?.user_version;
    if (version === VERSION) return connection;
    inTransaction(connection, () => {
      if (version !== 0) throw new UnusableIndex(`It has version ${version}.`);
      connection.exec(TABLES);
    });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

class UnusableIndex extends Error {}

const CORRUPT = 11;
const NO_DATABASE = 26;

function isUnusable(error: unknown): boolean {
  if (error instanceof UnusableIndex) return true;
  const { errcode, message } = error as { errcode?: number; message?: string };
  return errcode === CORRUPT || errcode === NO_DATABASE || /not a database|malformed/.test(message ?? '');
}
