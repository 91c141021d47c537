import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Longer than any work in such a folder may take. */
const OLD_MS = 2 * 60 * 60_000;

/** Gives `work` a new folder, and removes it afterwards. Removes those of killed processes too, once they are old. */
export async function inScratchFolder<T>(
  parent: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  removeOld(parent, prefix);
  const folder = mkdtempSync(join(parent, prefix));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function removeOld(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (Date.now() - found.ctimeMs > OLD_MS) rmSync(folder, { recursive: true, force: true });
  }
}
