import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BIN = join(process.cwd(), 'bin/fermata.cjs');

export type RunningHub = Awaited<ReturnType<typeof startHub>>;

/** The real program on a store, and how long it took to print its address. */
export async function startHub({ store, home }: { store: string; home: string }) {
  const begin = performance.now();
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--format', 'json'], {
    cwd: home,
    env: { ...process.env, FERMATA_HOME: home, FERMATA_STORE: store },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const startMs = performance.now() - begin;
  const { url, token } = JSON.parse(value) as { url: string; token: string };
  return {
    url,
    token,
    startMs,
    /** Resident memory in MB. */
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
