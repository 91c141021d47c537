import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

export const BIN = join(import.meta.dirname, '../../bin/fermata.cjs');
const LIMIT_MS = 30_000;

/** One home per test file; a test that needs its own sets FERMATA_HOME. */
const place = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-cli-')));
afterAll(() => rmSync(place, { recursive: true, force: true }));

export interface Options {
  /** A fresh folder where none is given: see `freshFolder`. */
  cwd?: string;
  /** On top of this process's environment, cleaned of what would change the program; undefined takes away. */
  env?: Record<string, string | undefined>;
  /** What stdin holds; without it stdin is empty. */
  input?: string;
  /** When it is killed at the latest. */
  limitMs?: number;
  /** Who runs it, where the tests are root. */
  account?: { uid?: number; gid?: number };
}

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built program to its end: `await fermata(['tasks', 'list', '--json'], { cwd })`. */
export async function fermata(args: string[], options: Options = {}): Promise<Result> {
  const running = startFermata(args, options);
  running.child.stdin?.end(options.input ?? '');
  return running.ended;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Result>;
  /** Resolves to everything on stdout so far as soon as it matches; fails when the program ends before. */
  shows(pattern: RegExp): Promise<string>;
}

/** Starts the built program and leaves it running; it is killed after the time limit, or after the test. */
export function startFermata(args: string[], options: Options = {}): Running {
  const env = environment(options.env);
  if (!options.account) shareCode(env.FERMATA_HOME);
  const child = spawn(process.execPath, [BIN, ...args], {
    ...options.account,
    cwd: options.cwd ?? freshFolder(),
    env,
    timeout: options.limitMs ?? LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => undefined); // it may end without reading
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (result.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (result.stderr += chunk));
  const ended = once(child, 'close').then(([code, signal]) => {
    if (signal === 'SIGKILL')
      result.stderr += `\n[the test killed it after at most ${options.limitMs ?? LIMIT_MS} ms]`;
    return { ...result, code };
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, shows: (pattern) => shown(child, result, pattern) };
}

function shown(child: ChildProcess, result: Result, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => pattern.test(result.stdout) && resolve(result.stdout);
    child.stdout?.on('data', look);
    child.once('close', () => reject(new Error(`It ended without ${pattern}: ${JSON.stringify(result)}`)));
    look();
  });
}

/** An empty folder that is no project yet, removed after the test. */
export function freshFolder(name = 'project'): string {
  const folder = join(mkdtempSync(join(place, 'test-')), name);
  mkdirSync(folder);
  return folder;
}

/** Compiled code lies in the home: a new one has that of all other tests, where it would begin by compiling. */
export function shareCode(home: string | undefined): void {
  const all = process.env.FERMATA_HOME;
  if (!home || !all || existsSync(home) || !existsSync(dirname(home))) return;
  mkdirSync(join(all, 'cache'), { recursive: true, mode: 0o700 });
  mkdirSync(home, { mode: 0o700 });
  symlinkSync(join(all, 'cache'), join(home, 'cache'));
}

export function environment(changes: Options['env'] = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FERMATA_|DEBUSSY_|PG)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    NODE_EXTRA_CA_CERTS: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    CI: undefined,
    FERMATA_HOME: join(place, 'home'),
    FERMATA_USER: 'tester',
    ...changes,
  };
}
