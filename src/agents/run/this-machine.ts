import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { fermataHome } from '../../config/home.ts';
import { lastingId } from '../../files/lasting-id.ts';
import { makeFolder } from '../../files/make-folder.ts';

let known: string | undefined;

/**
 * This boot of this machine and the process namespace. If two processes see the same value, a pid means the same to both.
 * Host names prove nothing, because machines and containers share them.
 */
export function thisMachine(env: NodeJS.ProcessEnv = process.env): string {
  known ??= [hostname(), ...(linuxNames() ?? [homeId(fermataHome(env)), `boot-${bootTime()}`])].join('/');
  return known;
}

/** Compares two names from `thisMachine`. Boot times a minute apart are the same, rounded differently. */
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

const homes = new Map<string, string>();

/**
 * A random id that a home folder gets once. A recreated container with the same home keeps it, and two machines with the
 * same host name differ.
 */
export function homeId(home: string): string {
  const id = homes.get(home) ?? nameHome(home);
  homes.set(home, id);
  return id;
}

function nameHome(home: string): string {
  try {
    makeFolder(home);
    return lastingId(join(home, 'machine'));
  } catch {
    return randomUUID(); // read-only: differs from every other id
  }
}

/** The boot time in minutes, because we compute it from two clocks, which may differ by a second between processes. */
function bootTime(): number {
  return Math.round((Date.now() / 1000 - uptime()) / 60);
}
