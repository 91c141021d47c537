import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';

/** The processes that work in a folder: what an agent's start has left on this machine. */
export function processesIn(folder: string): number[] {
  const place = realpathSync.native(folder);
  return workingFolders().flatMap(({ pid, cwd }) => (cwd === place ? [pid] : []));
}

/**
 * Kills the agent itself, like a crash; its leash stays to report it, and so does `spared`. A crash of Codex does not
 * reach the sandbox of its commands, half of which would wait forever if the other half were killed during set-up.
 */
export function killAgent(folder: string, spared?: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of processesIn(folder).filter((each) => each !== spared)) {
    const command = ps('-o', 'args=', '-p', String(pid));
    if (!command.includes('leash.cjs') && !command.startsWith('codex-linux-sandbox')) kill(pid, signal);
  }
}

/** Kills every process that works there. */
export function killAll(folder: string): void {
  for (const pid of processesIn(folder)) kill(pid, 'SIGKILL');
}

/** Resolves when no process works in the folder any more; rejects if one still does after a while. */
export async function untilDeserted(folder: string, withinMs = 20_000): Promise<void> {
  const end = Date.now() + withinMs;
  for (let found = processesIn(folder); found.length > 0; found = processesIn(folder)) {
    if (Date.now() > end) throw new Error(`Still running in ${folder}: ${found}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** False for a process that ended, even if its parent has not collected it yet. */
export function isRunning(pid: number | string): boolean {
  return /^[^ZX]/.test(ps('-o', 'stat=', '-p', String(pid)));
}

/** Everything that a process has started, directly or indirectly. */
export function descendants(pid: number): number[] {
  const lines = ps('-A', '-o', 'pid=', '-o', 'ppid=').split('\n');
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    all.filter(([, of]) => of === parent).flatMap(([child = 0]) => [child, ...below(child)]);
  return below(pid);
}

/** Ignores a process that is gone. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const ps = (...args: string[]) => spawnSync('ps', args, { encoding: 'utf8' }).stdout.trim();

/** Ended processes have no folder. A child process reads /proc if test/support/platforms hides it from us. */
function workingFolders(): { pid: number; cwd: string }[] {
  if (existsSync('/proc/self/cwd')) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => ({ pid: Number(pid), cwd: linkTarget(`/proc/${pid}/cwd`) }));
  }
  if (process.platform === 'linux') {
    const { stdout } = spawnSync('sh', ['-c', 'ls -l /proc/[0-9]*/cwd 2>/dev/null'], { encoding: 'utf8' });
    return [...stdout.matchAll(/\/proc\/(\d+)\/cwd -> (.*)$/gm)].map(found);
  }
  const { stdout } = spawnSync('lsof', ['-a', '-d', 'cwd', '-F', 'pn'], { encoding: 'utf8' });
  return [...stdout.matchAll(/^p(\d+)\nfcwd\nn(.*)$/gm)].map(found);
}

const found = ([, pid, cwd]: RegExpMatchArray) => ({ pid: Number(pid), cwd: cwd ?? '' });

/** Empty if it ended meanwhile, or if we may not read it. */
function linkTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
