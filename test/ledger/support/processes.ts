import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, onTestFinished } from 'vitest';
import { bundledProgram, type Program } from '../../support/bundled-program.ts';
import { reachableRoot } from '../../support/reachable-root.ts';

export interface How {
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
}

/** Lets a file's tests run program.ts in processes of their own, and under other accounts. */
export function processes() {
  let program: Program;
  beforeAll(async () => {
    program = await bundledProgram(join(import.meta.dirname, 'program.ts'));
  });

  const start = (command: string, store: string, how: How = {}): ChildProcess => {
    const { env, ...account } = how;
    const child = spawn(process.execPath, [program.file, command, store], {
      ...account,
      env: { ...process.env, ...(account.uid === undefined ? {} : modulesForOthers()), ...env },
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

/** Where Node looks for the native module if an account cannot follow the link above the program. */
const modulesForOthers = () => ({ NODE_PATH: join(reachableRoot(), 'node_modules') });
