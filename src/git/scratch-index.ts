import { copyFileSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type GitEnv = Record<string, string>;

/** Lets `work` change a copy of a checkout's index; `env` makes git use the copy. The real index is not touched. */
export async function withScratchIndex<T>(gitDir: string, work: (env: GitEnv) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-index-'));
  try {
    const copy = join(folder, 'index');
    copyIndex(join(gitDir, 'index'), copy);
    return await work({ GIT_INDEX_FILE: copy });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Keeps the time stamp of the index, rounded down, because git rereads every file that is not older than the index. */
function copyIndex(from: string, to: string): void {
  const index = statSync(from, { throwIfNoEntry: false });
  if (!index) return;
  copyFileSync(from, to);
  const second = Math.floor(index.mtimeMs / 1000);
  utimesSync(to, second, second);
}
