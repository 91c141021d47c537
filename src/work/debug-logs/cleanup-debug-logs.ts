import { lstatSync, rmSync } from 'node:fs';
import { entryOf, openRealFolder } from '../../files/open-inside.ts';
import { type ByteName, gitError, gitNames, readableName, tryGit } from '../../git/git.ts';
import { readMarkedText, TooLarge } from './marked-text.ts';
import { type Cleaned, NEAR_MARK, removeBlocks } from './remove-blocks.ts';
import { replaceFile, TEMPORARY } from './replace-file.ts';

export interface CleanUp {
  modified: string[];
  markers: number;
  lines: number;
  /** Could not be read or written; their markers are still there. */
  failed: { file: string; error: string }[];
  /** Near misses, which are reported but not removed. */
  left: { file: string; line: number; text: string }[];
  /** Blocks that extended to the end of their file because there was no blank line. */
  unended: { file: string; line: number }[];
}

const MAX_LEFT = 500;
/** A file system may flush each file before a rename, so several renames at once overlap these waits. */
const AT_ONCE = 64;

/** Removes debug logs (DBG-1) from all files of a worktree that git tracks or would not ignore. */
export async function cleanupDebugLogs(top: string): Promise<CleanUp> {
  const result: CleanUp = { modified: [], markers: 0, lines: 0, failed: [], left: [], unended: [] };
  const [tracked, untracked] = await Promise.all([trackedWithMarks(top, result), untrackedFiles(top)]);
  const names = [...tracked, ...untracked].filter((name) => !never.test(name));
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const ends = await Promise.allSettled(some.map((name) => cleanFile(top, name)));
    for (const [index, end] of ends.entries()) {
      const name = some[index] ?? '';
      const file = readableName(name);
      if (end.status === 'fulfilled') add(result, file, end.value);
      // Of a large file that git does not track, nobody knows whether it has a marker; it is no code.
      else if (!(end.reason instanceof TooLarge) || tracked.includes(name))
        fail(result, file, reasonOf(end.reason));
    }
  }
  return result;
}

/** Paths of files that are not cleaned. */
export const never = /(?:^|\/)(?:node_modules|\.git)\//;

/** Git searches tracked files faster than we could, and knows which ones are binary. */
async function trackedWithMarks(top: string, result: CleanUp): Promise<ByteName[]> {
  const args = ['grep', '-lzI', '--no-recurse-submodules', '-i', '-E', '-e', NEAR_MARK.source, '--'];
  const found = await tryGit(top, args);
  if (found.code > 1) throw gitError(args, found);
  for (const [, file = '', error = ''] of found.stderr.matchAll(
    /^error: (?:failed to \w+ )?'(.+)': (.+)$/gm,
  )) {
    fail(result, file, error);
  }
  return found.stdout.toString('latin1').split('\0').slice(0, -1);
}

async function untrackedFiles(top: string): Promise<ByteName[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--exclude=node_modules'];
  return gitNames(top, args);
}

/** Undefined if there is nothing to do, or the file is gone. A link anywhere on the way counts as gone, as it does for git. */
async function cleanFile(top: string, name: ByteName): Promise<Cleaned | undefined> {
  const parts = name.split('/').map((part) => Buffer.from(part, 'latin1'));
  const folder = openRealFolder(top, parts.slice(0, -1));
  if (!folder) return undefined;
  try {
    return await cleanEntry(entryOf(folder.path, parts.at(-1) ?? Buffer.alloc(0)), name);
  } finally {
    folder.close();
  }
}

async function cleanEntry(path: Buffer, name: ByteName): Promise<Cleaned | undefined> {
  if (TEMPORARY.test(name)) return removeLeftover(path);
  for (let tries = 0; tries < 5; tries++) {
    const marked = readMarkedText(path);
    if (!marked) return undefined;
    const cleaned = removeBlocks(marked.bytes.toString('latin1'));
    if (cleaned.markers === 0) return cleaned;
    if (await replaceFile(path, Buffer.from(cleaned.text, 'latin1'), marked.seen)) return cleaned;
  }
  throw new Error('another process keeps changing it');
}

function add(result: CleanUp, file: string, cleaned: Cleaned | undefined): void {
  if (!cleaned) return;
  const { markers, lines, left, unended } = cleaned;
  if (markers > 0) result.modified.push(file);
  result.markers += markers;
  result.lines += lines;
  result.unended.push(...unended.map((line) => ({ file, line })));
  const space = MAX_LEFT - result.left.length;
  result.left.push(
    ...left.slice(0, space).map(({ line, text }) => ({ file, line, text: readableName(text).slice(0, 200) })),
  );
}

/** Without the path, which is how we reach the file and not its name. */
const reasonOf = (error: unknown) => (error as Error).message.replace(/, \w+ '.*$/s, '');

/** Left by a process that died while writing; the file of a running process is newer. */
function removeLeftover(path: Buffer): undefined {
  if (Date.now() - lstatSync(path).mtimeMs > 60_000) rmSync(path);
}

function fail({ failed }: CleanUp, file: string, error: string): void {
  if (!failed.some((known) => known.file === file)) failed.push({ file, error });
}
