import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import { withFileInside } from '../files/open-inside.ts';
import { type Connection, inTransaction } from './index-file.ts';
import { documentKind, type Passage, splitPassages } from './split-passages.ts';
import { hiddenWords } from './terms.ts';

/** The documents of one checkout. Worktrees of a project share the index, which stores identical documents once. */
export interface Documents {
  root: string;
  /** Relative to the root, with forward slashes. */
  paths: string[];
}

export interface Update {
  added: number;
  removed: number;
  /** Too large, not text, or not readable for us. */
  skipped: string[];
}

const MAX_SIZE = 4 * 1024 * 1024;
/** A file that was changed this soon before we read it may change again without a new time stamp. */
const RACY_MS = 2000;
/** How many to store at once; few, so that other processes get their turn and memory use stays small. */
const BATCH = 500;

interface Known {
  path: string;
  stamp: string;
}

interface Seen {
  path: string;
  stamp: string;
  hash: string;
  passages(): Passage[];
}

/** Updates the index from the disk. It reads only files that changed, and recognizes known content by its hash. */
export function updateIndex(
  connection: Connection,
  { root, paths }: Documents,
  tell: (progress: string) => void = () => undefined,
): Update {
  const update: Update = { added: 0, removed: 0, skipped: [] };
  const known = new Map(
    (connection.prepare('select path, stamp from files where root = ?').all(root) as unknown as Known[]).map(
      ({ path, stamp }) => [path, stamp],
    ),
  );
  const there = new Set<string>();
  let batch: Seen[] = [];
  for (const [index, path] of paths.entries()) {
    const found = look(root, path, known.get(path));
    if (found === 'absent') continue;
    if (found === 'unfit') update.skipped.push(path);
    else there.add(path);
    if (typeof found === 'object') batch.push(found);
    if (batch.length < BATCH) continue;
    update.added += store(connection, root, batch);
    tell(`Read ${index + 1} of ${paths.length} documents`);
    batch = [];
  }
  if (batch.length > 0) update.added += store(connection, root, batch);
  const gone = [...known.keys()].filter((path) => !there.has(path));
  if (gone.length > 0 || update.added > 0) update.removed = forget(connection, root, gone);
  return update;
}

function look(root: string, path: string, knownStamp?: string): Seen | 'same' | 'absent' | 'unfit' {
  const kind = documentKind(path);
  const file = join(root, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!kind || !stats?.isFile()) return 'absent';
  if (stats.size > MAX_SIZE) return 'unfit';
  const stamp = stampOf(stats);
  if (stamp !== '' && stamp === knownStamp) return 'same';
  const bytes = readBytes(root, file);
  if (!bytes || bytes.subarray(0, 8192).includes(0)) return 'unfit';
  const hash = createHash('sha256')
    .update(`${posix.basename(path)}\0`)
    .update(bytes)
    .digest('hex');
  const text = bytes.toString('utf8');
  return { path, stamp, hash, passages: () => splitPassages(text, path, kind) };
}

/** Undefined if it may not be read, or has disappeared. */
function readBytes(root: string, file: string): Buffer | undefined {
  try {
    // Git lists tracked files even in a folder that has since been replaced by a link.
    const bytes = withFileInside([root], file, (opened, { size }) =>
      size <= MAX_SIZE ? readFileSync(opened) : undefined,
    );
    return bytes === 'outside' ? undefined : bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Empty while the time stamp is unreliable, so that the file is checked again. */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  const racy = Date.now() - Math.max(mtimeMs, ctimeMs) < RACY_MS;
  return racy ? '' : `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

function store(connection: Connection, root: string, seen: Seen[]): number {
  const find = connection.prepare('select id from documents where hash = ?');
  const keep = connection.prepare(
    'insert or replace into files (root, path, stamp, document) values (?, ?, ?, ?)',
  );
  return inTransaction(connection, () => {
    const insert = documentWriter(connection);
    let added = 0;
    for (const { path, stamp, hash, passages } of seen) {
      const known = find.get(hash) as { id: number } | undefined;
      if (!known) added += 1;
      keep.run(root, path, stamp, known?.id ?? insert(hash, passages()));
    }
    return added;
  });
}

/** The passages of a document have consecutive numbers, so that they can be deleted together. */
function documentWriter(connection: Connection): (hash: string, passages: Passage[]) => number | bigint {
  const highest = connection.prepare('select coalesce(max(last_passage), 0) as id from documents').get();
  const document = connection.prepare(
    'insert into documents (hash, first_passage, last_passage) values (?, ?, ?)',
  );
  const passage = connection.prepare(
    'insert into passages (rowid, title, heading, body, hidden, document, first_line, last_line) values (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  let last = (highest as { id: number }).id;
  return (hash, passages) => {
    const { lastInsertRowid } = document.run(hash, last + 1, last + passages.length);
    for (const { title, heading, text, first, last: end } of passages) {
      last += 1;
      const hidden = hiddenWords(`${heading}\n${text}`).join(' ');
      passage.run(last, title, heading, text, hidden, lastInsertRowid, first, end);
    }
    return lastInsertRowid;
  };
}

/** Removes deleted files, the files of deleted checkouts, and documents that no file has any more. */
function forget(connection: Connection, root: string, paths: string[]): number {
  return inTransaction(connection, () => {
    const drop = connection.prepare('delete from files where root = ? and path = ?');
    for (const path of paths) drop.run(root, path);
    const roots = connection.prepare('select distinct root from files').all() as unknown as {
      root: string;
    }[];
    for (const { root: other } of roots) {
      if (!existsSync(other)) connection.prepare('delete from files where root = ?').run(other);
    }
    const orphans = connection
      .prepare(
        'select id, first_passage, last_passage from documents where id not in (select document from files)',
      )
      .all() as unknown as { id: number; first_passage: number; last_passage: number }[];
    for (const { id, first_passage, last_passage } of orphans) {
      connection.prepare('delete from passages where rowid between ? and ?').run(first_passage, last_passage);
      connection
        .prepare('delete from vectors where passage between ? and ?')
        .run(first_passage, last_passage);
      connection.prepare('delete from documents where id = ?').run(id);
    }
    return orphans.length;
  });
}
