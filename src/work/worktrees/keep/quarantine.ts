import { mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WorktreeContext } from '../worktree-context.ts';

/** Moves a folder that may contain somebody's work out of the way. */
export function quarantine({ storage }: WorktreeContext, path: string): void {
  const aside = join(storage, 'kept', `${basename(path).replace(/^\./, '')}-${Date.now()}`);
  mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
  renameSync(path, aside);
}
