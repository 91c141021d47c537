import { isAbsolute } from 'node:path';
import { findRepository } from '../config/repository.ts';
import { folderWithoutRoom } from '../files/disk-room.ts';
import { retry, schedules } from '../files/retry.ts';
import { quoted } from '../schema/command-line.ts';
import { diskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import type { ByteName } from './byte-name.ts';
import { deafArguments } from './deaf-config.ts';
import { deafFor } from './deaf-environment.ts';
import { type Ended, startGit } from './start-git.ts';

export interface GitOptions {
  /** Git's stdin. */
  input?: string | Buffer;
  /** Added to the cleaned environment: another index file, a fixed date. */
  env?: Record<string, string>;
  /** Longer output is refused, or cut if `cut` is set. */
  maxBytes?: number;
  cut?: boolean;
  /** How long to wait for another running git. */
  lockWaitMs?: number;
}

export interface GitResult extends Ended {
  folder: string;
  /** Filters that did not run, because only the repository names them. */
  silencedFilters: string[];
}

/**
 * Runs git in a folder and resolves to its output, without the last line break. Starts no program that the repository
 * names: no hook, no driver, no git in another repository (docs/decisions/0025-deaf-git.md). Names from outside are
 * checked first (branch-name.ts) or come after `--` or `--end-of-options`.
 */
export async function git(folder: string, args: string[], options?: GitOptions): Promise<string> {
  return (await gitBytes(folder, args, options)).toString('utf8').replace(/\n$/, '');
}

export async function gitBytes(folder: string, args: string[], options?: GitOptions): Promise<Buffer> {
  const result = await tryGit(folder, args, options);
  if (result.code === 0) return result.stdout;
  throw gitError(args, result);
}

/** The NUL-terminated parts of the output. */
export async function gitList(folder: string, args: string[], options?: GitOptions): Promise<string[]> {
  return (await gitBytes(folder, args, options)).toString('utf8').split('\0').slice(0, -1);
}

/** Like `gitList`, with file names as bytes; `input` may contain such names too. */
export async function gitNames(
  folder: string,
  args: string[],
  options: Omit<GitOptions, 'input'> & { input?: ByteName } = {},
): Promise<ByteName[]> {
  const input = options.input === undefined ? {} : { input: Buffer.from(options.input, 'latin1') };
  const bytes = await gitBytes(folder, args, { ...options, ...input });
  return bytes.toString('latin1').split('\0').slice(0, -1);
}

/** For commands whose failure is a valid result. Waits for a while if another git has locked what it needs. */
export async function tryGit(folder: string, args: string[], options: GitOptions = {}): Promise<GitResult> {
  const { lockWaitMs: forMs = schedules.gitLock.forMs } = options;
  return retry(
    { ...schedules.gitLock, forMs },
    ({ value }) => value !== undefined && value.code !== 0 && isLocked(value.stderr),
    () => runOnce(folder, args, options),
  );
}

export function gitError(args: string[], { folder, code, stderr, silencedFilters }: GitResult): FermataError {
  const refused = notRun(stderr, silencedFilters);
  if (refused) return refused;
  const said = stderr.trim().slice(0, 2000) || `exit code ${code}`;
  const what = `git ${args.find((word) => !word.startsWith('-')) ?? ''}`.trim();
  const details = { git: args.slice(0, 20), code, stderr: said };
  if (isLocked(stderr)) {
    const advice =
      'Another git process is running here, or one that crashed left its lock file. Try again; if no git is running, remove the lock file.';
    return new FermataError('busy', `${what}: ${said} ${advice}`, { details });
  }
  // For some files, git only says that it could not write them.
  const { commonDir = folder } = findRepository(folder) ?? {};
  const full = folderWithoutRoom([folder, commonDir, ...args.filter((word) => isAbsolute(word))]);
  if (full !== undefined || /No space left on device|Disk quota exceeded/i.test(stderr)) {
    return diskFull(`${what} could not write to ${full ?? folder}`, { details });
  }
  if (/Permission denied|Read-only file system/i.test(stderr)) {
    return new FermataError('read_only', `${what} is not allowed to write here: ${said}`, { details });
  }
  return new FermataError('unavailable', `${what} failed: ${said}`, { details });
}

function isLocked(stderr: string): boolean {
  return /\.lock': File exists|Another git process seems to be running|could not lock config file .*: File exists/.test(
    stderr,
  );
}

async function runOnce(
  folder: string,
  args: string[],
  { env, lockWaitMs: _, ...options }: GitOptions,
): Promise<GitResult> {
  const { env: deaf, silencedFilters } = await deafFor(folder);
  const ended = await startGit(folder, deafArguments(args), { env: { ...deaf, ...env }, ...options });
  return { folder, silencedFilters, ...ended };
}

/** The error if git failed because we did not let it run something; undefined if it failed for another reason. */
function notRun(stderr: string, silencedFilters: readonly string[]): FermataError | undefined {
  const [, name = ''] = /\b(?:clean|smudge) filter '?(.+?)'? failed/.exec(stderr) ?? [];
  if (silencedFilters.includes(name)) return filterNotRun(name);
  if (/transport '.*' not allowed/.test(stderr)) return nothingFetched();
  return undefined;
}

function filterNotRun(name: string): FermataError {
  const section = quoted(`filter.${name}`);
  return new FermataError(
    'invalid',
    `The filter "${name}" is set only in this repository's configuration, and Fermata does not run such programs. ` +
      `If you trust it, set it in your own configuration ("git config --global"); ` +
      `if not, remove it ("git config --local --remove-section ${section}").`,
  );
}

function nothingFetched(): FermataError {
  return new FermataError(
    'invalid',
    'This partial clone lacks an object, and Fermata does not fetch. ' +
      'Run "git fetch --refetch --no-filter" first.',
  );
}
