import { existsSync } from 'node:fs';
import { type ByteName, onDisk } from './byte-name.ts';
import { gitNames } from './git.ts';
import type { GitEnv } from './scratch-index.ts';

/**
 * Makes git check every file of an index. Otherwise it skips files that are marked as unchanged, or as outside a sparse
 * checkout even if they exist, and the folder could silently differ from what is committed.
 */
export async function showHiddenFiles(folder: string, env: GitEnv = {}): Promise<void> {
  const listed = await gitNames(folder, ['ls-files', '-v', '-z'], { env });
  const tagged = (tag: RegExp) =>
    listed.filter((part) => tag.test(part[0] ?? '')).map((part) => part.slice(2));
  const clear = async (flag: string, paths: ByteName[]) => {
    if (paths.length === 0) return;
    const input = `${paths.join('\0')}\0`;
    await gitNames(folder, ['update-index', flag, '-z', '--stdin'], { env, input });
  };
  await clear(
    '--no-skip-worktree',
    tagged(/[Ss]/).filter((path) => existsSync(onDisk(folder, path))),
  );
  await clear('--no-assume-unchanged', tagged(/[a-z]/));
}
