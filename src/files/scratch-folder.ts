import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives `work` a new folder, and removes it afterwards. Removes those of killed processes too: each has its process in its
 * name, because no clock says whether somebody still works in a folder.
 */
export async function inScratchFolder<T>(
  parent: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const ours = `${prefix}${processSpace()}-`;
  removeAbandoned(parent, ours);
  const folder = mkdtempSync(join(parent, `${ours}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function removeAbandoned(parent: string, ours: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(ours) ? Number(name.slice(ours.length).split('-')[0]) : Number.NaN;
    if (pid > 0 && isGone(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Processes that see the same value see the same pids: others may share the folder, such as a container. */
function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return boot + readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return 'local'; // not Linux
  }
}
