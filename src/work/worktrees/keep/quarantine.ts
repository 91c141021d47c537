import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Place } from '../place.ts';

/** Moves a folder of which nobody knows whether it holds somebody's work. */
export function quarantine({ storage }: Place, path: string): void {
  const aside = join(storage, 'kept', `${basename(path).replace(/^\./, '')}-${Date.now()}`);
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  renameSync(path, aside);
}
