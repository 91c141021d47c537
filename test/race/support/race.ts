import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/**
 * Starts a process for each list of arguments, releases them all at once when all are ready, and returns their
 * outputs.
 */
export async function race<T>(file: string, starters: string[][]): Promise<T[]> {
  const { NODE_EXTRA_CA_CERTS: _slow, NODE_OPTIONS: _ours, ...env } = process.env;
  const runners = starters.map((args) => {
    const child = spawn(process.execPath, [file, ...args], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, ...listen(child) };
  });
  await Promise.all(runners.map(({ ready }) => ready));
  for (const { child } of runners) child.stdin.write('go\n');
  return Promise.all(runners.map(async ({ result }) => JSON.parse(await result)));
}

function listen(child: ChildProcess): { ready: Promise<void>; result: Promise<string> } {
  let stdout = '';
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const result = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.slice(READY.length);
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (stdout.startsWith(READY)) resolve();
    });
    result.catch(reject);
  });
  return { ready, result };
}

const READY = 'ready\n';
