import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** The processes that work in a folder: what an agent's start has left on this machine. */
export function processesIn(folder: string): number[] {
  const place = realpathSync(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => look(() => readlinkSync(`/proc/${pid}/cwd`)) === place && !isZombie(pid))
    .map(Number);
}

/** Kills the agent itself, as a crash would; what holds its leash stays to tell. */
export function killAgent(folder: string): void {
  for (const pid of processesIn(folder)) {
    const command = look(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '';
    if (!command.includes('leash.cjs')) process.kill(pid, 'SIGKILL');
  }
}

/** Resolves when nobody works in the folder any more; rejects when somebody still does after a while. */
export async function untilDeserted(folder: string, withinMs = 5000): Promise<void> {
  const end = Date.now() + withinMs;
  while (processesIn(folder).length > 0) {
    if (Date.now() > end) throw new Error(`Still running in ${folder}: ${processesIn(folder)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isZombie = (pid: string) =>
  /^\d+ \(.*\) Z/.test(look(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '');

/** It may end while we look. */
function look(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
