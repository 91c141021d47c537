import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freshFolder } from './fermata.ts';

/** A separate disk of this many kilobytes; undefined if we may not mount one. */
export function smallDisk(kilobytes: number): string | undefined {
  const disk = freshFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', disk]);
  });
  return disk;
}

/** Fills the disk to the last byte, once. */
export const fillOnce = (disk: string) =>
  `[ -e ${disk}/once ] || { touch ${disk}/once; dd if=/dev/zero of=${disk}/fill bs=1k 2>/dev/null; }`;

export const makeRoom = (disk: string) => rmSync(join(disk, 'fill'));
