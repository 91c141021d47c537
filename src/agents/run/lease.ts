import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { join } from 'node:path';
import { fermataHome } from '../../config/home.ts';
import { lastingId, makeFolder } from '../../files/write-at-once.ts';

/** How long we keep a run or a task without a heartbeat; after that another process may take it. */
export const PROCESS_LEASE_SECONDS = 20;
const RENEW_MS = (PROCESS_LEASE_SECONDS * 1000) / 4;
/** After two failed renewals, there is still time to end the agent before the lease expires. */
const LOST_MS = RENEW_MS * 2.5;

/** The holder of a run or a task: a process of this machine. */
export const processName = (pid = process.pid) => `${thisMachine()}:${pid}`;

/** True if the holder was a process of this machine that no longer exists. For other machines, only the lease decides. */
export function isDeadHolder(holder: string): boolean {
  const [, where, pid] = /^(.*):(\d+)$/.exec(holder) ?? [];
  if (where === undefined || !isSameMachine(where, thisMachine())) return false;
  return isDeadProcess(Number(pid));
}

/** True if this machine has no process with this pid. */
export function isDeadProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Why a lease is lost: another process has it, or we were silent for so long that another may. */
export type LeaseLoss = 'taken' | 'silent';

/**
 * Renews a lease while we work. `lost` is aborted, with a `LeaseLoss`, when another process may have taken over, early
 * enough to end what we started before that can happen.
 */
export function keepLease(heartbeat: () => Promise<unknown>): { stop(): void; lost: AbortSignal } {
  const lost = new AbortController();
  const lose = (why: LeaseLoss) => lost.abort(why);
  let renewed = performance.now();
  let isRenewing = false;
  const renew = async () => {
    // Use a monotonic clock, which also counts the time that an unreachable store takes to fail.
    const now = performance.now();
    if (now - renewed > LOST_MS) lose('silent');
    if (isRenewing) return;
    isRenewing = true;
    try {
      await heartbeat();
      renewed = now;
    } catch (error) {
      if ((error as { code?: string }).code === 'stale') lose('taken');
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MS);
  return { stop: () => clearInterval(timer), lost: lost.signal };
}

let machine: string | undefined;

/**
 * This boot of this machine and the process namespace. If two processes see the same value, a pid means the same to both.
 * Host names prove nothing, because machines and containers share them.
 */
function thisMachine(env: NodeJS.ProcessEnv = process.env): string {
  machine ??= [hostname(), ...(linuxNames() ?? [homeId(fermataHome(env)), `boot-${bootTime()}`])].join('/');
  return machine;
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
