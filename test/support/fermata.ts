import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isTaken, runInProcess, testEnvironment } from './in-process.ts';
import { perFile } from './per-file.ts';
import { reachableRoot } from './reachable-root.ts';

export const BIN = join(import.meta.dirname, '../../bin/fermata.cjs');
const LIMIT_MS = 100_000;

/** One home per test file; a test that needs its own sets FERMATA_HOME. */
const place = perFile(
  () => realpathSync(mkdtempSync(join(tmpdir(), 'fermata-cli-'))),
  (folder) => rmSync(folder, { recursive: true, force: true }),
);

export interface Options {
  /** The name under which it is called: `envoy`. */
  as?: string;
  /** A fresh folder by default: see `freshFolder`. */
  cwd?: string;
  /** Added to this process's environment, without variables that would change the program; undefined removes one. */
  env?: Record<string, string | undefined>;
  /** The content of stdin; empty by default. */
  input?: string;
  /** The width of its terminal, if it has one (120). */
  columns?: number;
  /** When it is killed at the latest. */
  limitMs?: number;
  /** The account that runs it, if the tests run as root. */
  account?: { uid?: number; gid?: number };
}

export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the built program to its end: `await fermata(['tasks', 'list', '--json'], { cwd })`. Runs in this process, which
 * takes a fifth of the time, unless another command is running there or the call needs its own process.
 */
export async function fermata(args: string[], options: Options = {}): Promise<Result> {
  if (isTaken() || options.account || Object.keys(options.env ?? {}).some((name) => forProcess.has(name)))
    return spawnFermata(args, options);
  const env = environment(options.env);
  const { as: name = 'fermata', cwd = freshFolder(), input = '' } = options;
  return runInProcess({ args, name, cwd, env, input });
}

/** Options that are read before the program begins, or that end the process. */
const forProcess = new Set([
  'FERMATA_CRASH_AT',
  'FERMATA_DOOR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'LANG',
  'LC_ALL',
]);

/** Like `fermata` in its own process, for tests that are about the process. */
export async function spawnFermata(args: string[], options: Options = {}): Promise<Result> {
  const running = startFermata(args, options);
  running.child.stdin?.end(options.input ?? '');
  return running.ended;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Result>;
  /** Resolves to all of stdout so far as soon as it matches; fails if the program ends first. */
  shows(pattern: RegExp): Promise<string>;
  /** Everything on stdout so far. */
  shown(): string;
}

/** Starts the built program and leaves it running; it is killed after the time limit, or after the test. */
export function startFermata(args: string[], options: Options = {}): Running {
  const env = options.account ? cleaned(options.env) : environment(options.env);
  const program = options.account ? join(reachableRoot(), 'bin/fermata.cjs') : programNamed(options.as);
  const child = spawn(process.execPath, [program, ...args], {
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
  return {
    ...{ child, ended },
    shows: (pattern) => shown(child, result, pattern),
    shown: () => result.stdout,
  };
}

function programNamed(name: string | undefined): string {
  if (name === undefined) return BIN;
  const link = join(place(), name);
  if (!existsSync(link)) symlinkSync(BIN, link);
  return link;
}

function shown(child: ChildProcess, result: Result, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => pattern.test(result.stdout) && resolve(result.stdout);
    child.stdout?.on('data', look);
    child.once('close', () => reject(new Error(`It ended without ${pattern}: ${JSON.stringify(result)}`)));
    look();
  });
}

/** An empty folder that is not a project yet, removed after the test. */
export function freshFolder(name = 'project'): string {
  const folder = join(mkdtempSync(join(place(), 'test-')), name);
  mkdirSync(folder);
  return folder;
}

/** Compiled code is in the home: a new home gets that of all other tests instead of compiling first. */
export function shareCode(home: string | undefined): void {
  const all = process.env.FERMATA_HOME;
  if (!home || !all || existsSync(home) || !existsSync(dirname(home))) return;
  mkdirSync(join(all, 'cache'), { recursive: true, mode: 0o700 });
  mkdirSync(home, { mode: 0o700 });
  symlinkSync(join(all, 'cache'), join(home, 'cache'));
}

/** The environment of the program: cleaned, and with the code that is already compiled. */
export function environment(changes: Options['env'] = {}): Record<string, string | undefined> {
  const env = cleaned(changes);
  shareCode(env.FERMATA_HOME);
  return env;
}

function cleaned(changes: Options['env'] = {}): Record<string, string | undefined> {
  const inherited = Object.entries(testEnvironment()).filter(
    ([name]) => !/^(FERMATA_|DEBUSSY_|PG|CLAUDE)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    NODE_EXTRA_CA_CERTS: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    CI: undefined,
    FERMATA_HOME: join(place(), 'home'),
    FERMATA_USER: 'tester',
    // Tests trust their own files; those about trust remove it.
    FERMATA_TRUST: '1',
    // Scripted agents call no reviewer; tests about reviews remove it.
    FERMATA_NO_REVIEW: '1',
    ...changes,
  };
}
