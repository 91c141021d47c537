import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  signal: string | null;
  stdout: string;
}

const running = new Set<ChildProcess>();

/** Starts a program that dies at the crash point, if one is named. */
export function start(
  file: string,
  args: string[],
  { crashAt, timeout = 20_000 }: { crashAt?: string; timeout?: number } = {},
): ChildProcess {
  const { NODE_EXTRA_CA_CERTS: _slow, NODE_OPTIONS: _ours, ...env } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...env, ...(crashAt ? { FERMATA_CRASH_AT: `${crashAt}=kill` } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGTERM', // so a hanging process does not count as a killed one
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** After a failure, leave no process behind. */
export async function stopAll(): Promise<void> {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(left.map((child) => once(child, 'close')));
}

/** Resolves when it succeeded or was killed; anything else is an error with its output. */
export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const [code, signal] = await once(child, 'close');
  if (code !== 0 && signal !== 'SIGKILL') {
    throw new Error(`${child.spawnargs.slice(2).join(' ')} ended with ${signal ?? code}:\n${stderr}`);
  }
  return { signal, stdout };
}

/** Runs `work` for each item, two at a time. */
export async function twoAtATime<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
