import { randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { readSmall } from './read-bounded.ts';
import { writeAtOnce } from './write-at-once.ts';

/** The random id in a file; undefined if there is none. */
export function readLastingId(file: string): string | undefined {
  const id = readSmall(file, 100)?.trim();
  return id && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}

/**
 * The random id in a file, which is written now if there is none. Several processes may do this at once: only one of them
 * can create the link, and the others read its id.
 */
export function lastingId(file: string): string {
  return readLastingId(file) ?? giveId(file);
}

/** Errors after which we write the file directly: it has other content, or its file system has no hard links. */
const isWrittenPlainly = new Set(['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function giveId(file: string): string {
  const id = randomUUID();
  const temporary = `${file}.${id}`;
  try {
    writeFileSync(temporary, `${id}\n`, { flag: 'wx', mode: 0o600 });
    linkSync(temporary, file);
    return id;
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'link' || !isWrittenPlainly.has(code)) throw error;
    const theirs = readLastingId(file);
    if (theirs !== undefined) return theirs;
    writeAtOnce(file, `${id}\n`, 0o600);
    return id;
  } finally {
    rmSync(temporary, { force: true });
  }
}
