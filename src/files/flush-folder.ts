import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the names in a folder durable; without it, a renamed file may have its old name again after a power failure. */
export function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
