import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Program, sharedProgram } from '../../support/bundled-program.ts';

export interface How {
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
}

/** Lets a file's tests run program.ts in processes of their own, and under other accounts if `bundle` allows that. */
export function processes(bundle = sharedProgram) {
  let program: Program;
  beforeAll(async () => {
    program = await bundle(join(import.meta.dirname, 'program.ts'));
  });
  afterAll(() => program.remove());

  const start = (command: string, store: string, how: How = {}): ChildProcess => {
    const { env, ...account } = how;
    const child = spawn(process.execPath, [program.file, command, store], {
      ...account,
      env: { ...process.env, ...env },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    return child;
  };

  /** The result of a command; any error but Fermata's own fails. */
  const run = async (command: string, store: string, how: How = {}): Promise<unknown> => {
    const child = start(command, store, how);
    child.stdin?.end();
    let [out, problems] = ['', ''];
    child.stdout?.on('data', (chunk) => (out += chunk));
    child.stderr?.on('data', (chunk) => (problems += chunk));
    const [status] = await once(child, 'close');
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${problems}`);
    return JSON.parse(out);
  };

  /** Starts a process that holds the write lock; resolves to a function that ends it. */
  const holdLock = async (store: string): Promise<() => Promise<void>> => {
    const child = start('hold', store);
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    await once(lines, 'line');
    return async () => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    };
  };

  return { run, holdLock };
}
