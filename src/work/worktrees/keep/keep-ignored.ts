import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git, gitList } from '../../git/git.ts';
import { gitDir } from '../../git/refs.ts';
import { withScratchIndex } from '../../git/scratch-index.ts';

/**
 * Moves what git ignores out of a folder that is about to go: nobody can tell a build's output from the only copy of a
 * person's settings.
 */
export async function keepIgnored(folder: string, to: string): Promise<void> {
  for (const path of await ignoredIn(folder)) {
    // Git may list a folder and then what is in it.
    if (lstatSync(join(folder, path), { throwIfNoEntry: false }))
      move(join(folder, path), free(join(to, path)));
  }
}

/** Whole folders where everything in them is ignored. Untracked files count as tracked, or a folder with both is missed. */
async function ignoredIn(folder: string): Promise<string[]> {
  return withScratchIndex(await gitDir(folder), async (env) => {
    await git(folder, ['add', '--all', '--intent-to-add', '--', '.'], { env });
    const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
    return (await gitList(folder, args, { env })).map((path) => path.replace(/\/$/, ''));
  });
}

/** The folder may have something from an earlier time. */
function free(path: string): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}
