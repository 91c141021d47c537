import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import type { Located } from './located.ts';

/**
 * A sandboxed agent can write to its worktree's git directory. Git writes through links there (COMMIT_EDITMSG,
 * logs/HEAD), and would so change files that the agent itself cannot reach.
 */
export function refuseLinks({ gitDir, commonDir }: Located): void {
  if (gitDir === commonDir) return;
  const link = [gitDir, join(gitDir, 'logs')].map(linkIn).find((path) => path !== undefined);
  if (link === undefined) return;
  throw new FermataError('invalid', `${link} is a link, and git would write through it. Remove it.`);
}

function linkIn(folder: string): string | undefined {
  try {
    const found = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
    return found && join(folder, found.name);
  } catch {
    return undefined; // does not exist, so nothing is written through it
  }
}
