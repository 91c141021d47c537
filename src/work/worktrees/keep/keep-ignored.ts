import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { gitDirOf } from '../../../git/deaf-environment.ts';
import { type ByteName, gitNames, onDisk } from '../../../git/git.ts';
import { noteUntracked } from '../../../git/stage.ts';
import { withScratchIndex } from '../../../git/status.ts';

/**
 * Moves ignored files out of a folder that is about to be removed, because nobody can tell a build's output from the only
 * copy of a person's settings.
 */
export async function keepIgnored(folder: string, to: string): Promise<void> {
  for (const name of await ignoredIn(folder)) {
    // Git may list a folder and then its contents.
    const isThere = lstatSync(onDisk(folder, name), { throwIfNoEntry: false }) !== undefined;
    if (isThere) move(onDisk(folder, name), free(to, name));
  }
}

/**
 * Lists whole folders if everything in them is ignored. Untracked files count as tracked, because otherwise a folder with
 * both would be missed.
 */
async function ignoredIn(folder: string): Promise<ByteName[]> {
  return withScratchIndex(gitDirOf(folder), async (env) => {
    const others = ['ls-files', '-z', '--others', '--exclude-standard'];
    await noteUntracked(folder, await gitNames(folder, others, { env }), env);
    const ignored = await gitNames(folder, [...others, '--ignored', '--directory'], { env });
    return ignored.map((name) => name.replace(/\/$/, ''));
  });
}

/** Adds a number if the folder already has something with this name. */
function free(folder: string, name: ByteName): Buffer {
  for (let number = 1; ; number++) {
    const candidate = onDisk(folder, number === 1 ? name : `${name}-${number}`);
    if (!existsSync(candidate)) return candidate;
  }
}

function move(from: Buffer, to: Buffer): void {
  mkdirSync(to.subarray(0, to.lastIndexOf('/')), { recursive: true, mode: 0o700 });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const copy = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    cpSync(from.toString('utf8'), to.toString('utf8'), copy);
    rmSync(from, { recursive: true });
  }
}
