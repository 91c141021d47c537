import { tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { findRepository } from '../config/repository.ts';
import { retry, schedules } from '../files/retry.ts';
import { folderWithoutRoom } from '../files/write-at-once.ts';
import { quoted } from '../schema/command-line.ts';
import { diskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import { Refusal } from '../schema/refusal.ts';
import { deafArguments } from './deaf-config.ts';
import { deafFor, gitEnvironment } from './deaf-environment.ts';
import { type Ended, startGit } from './start-git.ts';

/**
 * A file's name as git gives it, with one character per byte (latin1), because names need not be UTF-8, and two that are
 * not would look the same as text.
 */
export type ByteName = string;

/** The path of that file below a folder, as bytes for the file system. */
export function onDisk(folder: string, name: ByteName): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}

/** For people. */
export function readableName(name: ByteName): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}

/** Variables that are added to git's environment. */
export type GitEnv = Record<string, string>;

export interface GitOptions {
  /** Git's stdin. Git starts before a promised input is there. The promise must not fail. */
  input?: string | Buffer | Promise<string>;
  /** Added to the cleaned environment: another index file, a fixed date. */
  env?: GitEnv;
  /** Longer output is refused, or cut if `cut` is set. */
  maxBytes?: number;
  cut?: boolean;
  /** Gets the output piece by piece, however long it is. */
  onOutput?: (bytes: Buffer) => void;
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
 * checked first (refs.ts) or come after `--` or `--end-of-options`.
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

/** The first git that merges without touching files. */
export const MIN_GIT = { major: 2, minor: 38 };

export function isOldGit(version: string): boolean {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major < MIN_GIT.major || (major === MIN_GIT.major && minor < MIN_GIT.minor);
}

let checked: Promise<void> | undefined;

/** Checked before a command that needs worktrees or merges does anything. */
export function requireGit(): Promise<void> {
  checked ??= check();
  return checked;
}

async function check(): Promise<void> {
  const { stdout } = await startGit(tmpdir(), ['--version'], { env: gitEnvironment(process.env) });
  const version = /\d+\.\d+[\w.]{0,40}/.exec(stdout.toString('latin1', 0, 200))?.[0] ?? '';
  if (!isOldGit(version)) return;
  throw new Refusal(
    'old_git',
    `Fermata needs git ${MIN_GIT.major}.${MIN_GIT.minor} or newer, but the installed version is ${version || 'unknown'}. Nothing was changed.`,
    { suggestion: 'Install a newer git (https://git-scm.com).', code: 'unavailable' },
  );
}
