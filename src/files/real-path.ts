import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The path of what is there, without links. Only the system's own function also corrects the case of letters on a disk
 * that ignores it, so two spellings of one folder stay one folder.
 */
export const realPath = (path: string): string => realpathSync.native(path);

/** The absolute path of what is there with the letters that the disk has, and with its links. */
export function asOnDisk(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  const [name, real] = [basename(path), basename(realPath(path))];
  return join(asOnDisk(above), folded(name) === folded(real) ? real : name);
}

const folded = (name: string) => name.normalize('NFC').toLowerCase();
