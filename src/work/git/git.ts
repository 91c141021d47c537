import { type ExecFileException, execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRepository } from '../../config/repository.ts';
import { diskFull } from '../../schema/disk-full.ts';
import { FermataError } from '../../schema/error.ts';
import { folderWithoutRoom } from '../disk-room.ts';
import type { ByteName } from './byte-name.ts';
import { gitEnvironment } from './environment.ts';

export interface GitOptions {
  /** What git reads from stdin. */
  input?: string | Buffer;
  /** On top of the cleaned environment: another index file, a fixed date. */
  env?: Record<string, string>;
  /** More than this is refused, or cut off where `cut` is set. */
  maxBytes?: number;
  cut?: boolean;
}

export interface GitResult {
  /** Where it ran. */
  folder: string;
  code: number;
  stdout: Buffer;
  stderr: string;
}

const MAX_BYTES = 256 * 1024 * 1024;
const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
/** How long another git at work is waited for. */
const LOCK_WAIT_MS = 10_000;
/** What must not follow a person's settings: it would change what we read. */
const FIXED = ['-c', 'color.ui=false', '-c', 'core.quotePath=false', '-c', 'advice.detachedHead=false'];

/**
 * Runs git in a folder and resolves to what it printed, without the last line end. Names that come from outside are
 * checked before (branch-name.ts) or stand after `--` or `--end-of-options`.
 */
export async function git(folder: string, args: string[], options?: GitOptions): Promise<string> {
  return (await gitBytes(folder, args, options)).toString('utf8').replace(/\n$/, '');
}

export async function gitBytes(folder: string, args: string[], options?: GitOptions): Promise<Buffer> {
  const result = await tryGit(folder, args, options);
  if (result.code === 0) return result.stdout;
  throw gitError(args, result);
}

/** The parts of an answer in which each ends with a NUL. */
export async function gitList(folder: string, args: string[], options?: GitOptions): Promise<string[]> {
  return (await gitBytes(folder, args, options)).toString('utf8').split('\0').slice(0, -1);
}

/** The same, with names of files as bytes; `input` may have such names too. */
export async function gitNames(
  folder: string,
  args: string[],
  options: Omit<GitOptions, 'input'> & { input?: ByteName } = {},
): Promise<ByteName[]> {
  const input = options.input === undefined ? {} : { input: Buffer.from(options.input, 'latin1') };
  const bytes = await gitBytes(folder, args, { ...options, ...input });
  return bytes.toString('latin1').split('\0').slice(0, -1);
}

/** For commands whose failure is an answer. Waits for a while where another git has locked what it needs. */
export async function tryGit(folder: string, args: string[], options: GitOptions = {}): Promise<GitResult> {
  const until = Date.now() + LOCK_WAIT_MS;
  for (let wait = 20; ; wait = Math.min(wait * 2, 400)) {
    const result = await runOnce(folder, args, options);
    if (result.code === 0 || !isLocked(result.stderr) || Date.now() > until) return result;
    await sleep(wait);
  }
}

export function gitError(args: string[], { folder, code, stderr }: GitResult): FermataError {
  const said = stderr.trim().slice(0, 2000) || `exit code ${code}`;
  const what = `git ${args.find((word) => !word.startsWith('-')) ?? ''}`.trim();
  const details = { git: args.slice(0, 20), code, stderr: said };
  if (isLocked(stderr)) {
    const advice =
      'Another git is at work here, or one that died left its lock. Try again; remove the lock file only when no git runs.';
    return new FermataError('busy', `${what}: ${said} ${advice}`, { details });
  }
  // Of some files git only says that it could not write them.
  const { commonDir = folder } = findRepository(folder) ?? {};
  const full = folderWithoutRoom([folder, commonDir, ...args.filter((word) => isAbsolute(word))]);
  if (full !== undefined || /No space left on device|Disk quota exceeded/i.test(stderr)) {
    return diskFull(`${what} could not write in ${full ?? folder}`, { details });
  }
  if (/Permission denied|Read-only file system/i.test(stderr)) {
    return new FermataError('read_only', `${what} may not write here: ${said}`, { details });
  }
  return new FermataError('unavailable', `${what} failed: ${said}`, { details });
}

function isLocked(stderr: string): boolean {
  return /\.lock': File exists|Another git process seems to be running|could not lock config file .*: File exists/.test(
    stderr,
  );
}

function runOnce(folder: string, args: string[], options: GitOptions): Promise<GitResult> {
  const { input, env, maxBytes = MAX_BYTES, cut = false } = options;
  const settings = { cwd: folder, env: { ...gitEnvironment(process.env), ...env }, maxBuffer: maxBytes };
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...FIXED, ...args],
      { ...settings, encoding: 'buffer' },
      (error, stdout, stderr) => {
        const code = cut && error?.code === TOO_MUCH ? 0 : (error?.code ?? 0);
        if (typeof code === 'number') resolve({ folder, code, stdout, stderr: stderr.toString('utf8') });
        else reject(cannotRun(error, folder, args, maxBytes));
      },
    );
    child.stdin?.on('error', () => undefined); // it may end without reading; its exit code says why
    child.stdin?.end(input ?? '');
  });
}

function cannotRun(
  error: ExecFileException | null,
  folder: string,
  [command]: string[],
  maxBytes: number,
): FermataError {
  const cause = { cause: error };
  if (error?.code === 'ENOENT') {
    const message = `git could not be started in ${folder}: it is not installed (or not on the PATH), or the folder is gone.`;
    return new FermataError('unavailable', message, cause);
  }
  if (error?.code === TOO_MUCH) {
    return new FermataError('unavailable', `git ${command} printed more than ${maxBytes} bytes.`, cause);
  }
  return new FermataError(
    'unavailable',
    `git ${command} was ended by ${error?.signal ?? error?.code}.`,
    cause,
  );
}
