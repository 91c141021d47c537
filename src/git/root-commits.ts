import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tryGit } from './git.ts';

/** More than any normal history has. */
const MAX = 100;

/** The root commits of a checkout's history; empty if unknown, as in a shallow clone. */
export async function rootCommits(top: string, commonDir: string): Promise<string[]> {
  if (isShallow(commonDir)) return [];
  const { code, stdout } = await tryGit(top, ['rev-list', '--max-parents=0', `--max-count=${MAX}`, 'HEAD']);
  return code === 0 ? stdout.toString('utf8').split('\n').filter(Boolean) : [];
}

/** Whether a clone has only the last part of its history. */
export const isShallow = (commonDir: string) => existsSync(join(commonDir, 'shallow'));
