import { lstatSync, rmSync } from 'node:fs';
import { gitBytes, gitError, tryGit } from '../git/git.ts';
import { readMarkedText } from './marked-text.ts';
import { MARK, removeBlocks } from './remove-blocks.ts';
import { type BytePath, replaceFile, TEMPORARY } from './replace-file.ts';

export interface CleanUp {
  modified: string[];
  markers: number;
  lines: number;
  /** Could not be read or written; their markers are still there. */
  failed: { file: string; error: string }[];
  /** Markers that the rule does not cover. */
  left: { file: string; line: number; text: string }[];
  /** Blocks that went to the end of their file for lack of a blank line. */
  unended: { file: string; line: number }[];
}

const MOST_LEFT = 500;

/** Removes debug logs (DBG-1) from all files of a worktree that git tracks, or would not ignore. */
export async function cleanupDebugLogs(top: string): Promise<CleanUp> {
  const result: CleanUp = { modified: [], markers: 0, lines: 0, failed: [], left: [], unended: [] };
  const [tracked, untracked] = await Promise.all([trackedWithMarks(top, result), untrackedFiles(top)]);
  for (const name of [...tracked, ...untracked]) {
    if (/(?:^|\/)(?:node_modules|\.git)\//.test(name.toString('latin1'))) continue;
    const path = Buffer.concat([Buffer.from(`${top}/`), name]);
    try {
      if (TEMPORARY.test(name.toString('latin1'))) removeLeftover(path);
      else cleanFile(path, name.toString('utf8'), result);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') fail(result, name.toString('utf8'), message);
    }
  }
  return result;
}

/** Git looks through tracked files faster than we could, and knows which ones are binary. */
async function trackedWithMarks(top: string, result: CleanUp): Promise<BytePath[]> {
  const args = ['grep', '-l', '-z', '-I', '-F', '--no-recurse-submodules', '-e', MARK, '--'];
  const found = await tryGit(top, args);
  if (found.code > 1) throw gitError(args, found);
  for (const [, file = '', error = ''] of found.stderr.matchAll(
    /^error: (?:failed to \w+ )?'(.+)': (.+)$/gm,
  )) {
    fail(result, file, error);
  }
  return splitNames(found.stdout);
}

async function untrackedFiles(top: string): Promise<BytePath[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--exclude=node_modules'];
  return splitNames(await gitBytes(top, args));
}

function cleanFile(path: BytePath, file: string, result: CleanUp): void {
  for (let tries = 0; ; tries++) {
    const seen = lstatSync(path);
    const bytes = seen.isFile() ? readMarkedText(path, seen) : undefined;
    if (!bytes) return;
    const cleaned = removeBlocks(bytes.toString('latin1'), /\.(\w+)$/.exec(file)?.[1] ?? '');
    const done = cleaned.markers === 0 || replaceFile(path, Buffer.from(cleaned.text, 'latin1'), seen);
    if (!done && tries < 5) continue; // somebody else wrote it meanwhile
    if (!done) throw new Error('it is changed all the time');
    if (cleaned.markers > 0) result.modified.push(file);
    result.markers += cleaned.markers;
    result.lines += cleaned.lines;
    result.unended.push(...cleaned.unended.map((line) => ({ file, line })));
    for (const { line, text } of cleaned.left) {
      if (result.left.length < MOST_LEFT) result.left.push({ file, line, text: readable(text) });
    }
    return;
  }
}

const readable = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8').slice(0, 200);

/** Of a process that died while it wrote; one that is at work now is younger. */
function removeLeftover(path: BytePath): void {
  if (Date.now() - lstatSync(path).mtimeMs > 60_000) rmSync(path);
}

function fail({ failed }: CleanUp, file: string, error: string): void {
  if (!failed.some((known) => known.file === file)) failed.push({ file, error });
}

function splitNames(bytes: Buffer): BytePath[] {
  const names: BytePath[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0, from);
    if (end < 0) break;
    names.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return names;
}
