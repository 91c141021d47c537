import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { fermataHome } from '../../config/home.ts';
import { makeFolder } from '../../files/make-folder.ts';

let known: string | undefined;

/**
 * This machine since it was started, and the process namespace: where two processes see the same, a process number
 * means the same to both. Host names do not tell: machines and containers share them.
 */
export function thisMachine(env: NodeJS.ProcessEnv = process.env): string {
  known ??= [hostname(), ...(linuxNames() ?? [ownName(fermataHome(env)), `boot-${bootTime()}`])].join('/');
  return known;
}

/** Two names that `thisMachine` gave; a minute apart is the same boot time, rounded differently. */
export function isSameMachine(one: string, other: string): boolean {
  const [mine, theirs] = [parted(one), parted(other)];
  return mine.machine === theirs.machine && Math.abs(mine.boot - theirs.boot) <= 1;
}

function parted(name: string): { machine: string; boot: number } {
  const [, machine = name, boot = 0] = /^(.*)\/boot-(\d+)$/.exec(name) ?? [];
  return { machine, boot: Number(boot) };
}

function linuxNames(): string[] | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return [boot, readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')];
  } catch {
    return undefined; // macOS, or a container that hides it
  }
}

/** A random name that the first process on this machine gave it. */
function ownName(home: string): string {
  const file = join(home, 'machine');
  try {
    makeFolder(home);
    writeFileSync(file, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return randomUUID(); // read-only: a stranger to all others
  }
  const name = readFileSync(file, 'latin1');
  return name.length === 36 ? name : randomUUID(); // another process is just writing it
}

/** In minutes: it is reckoned from two clocks, which may differ by a second from one process to the next. */
function bootTime(): number {
  return Math.round((Date.now() / 1000 - uptime()) / 60);
}
