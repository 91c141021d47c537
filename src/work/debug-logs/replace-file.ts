import { chmodSync, chownSync, lstatSync, rmSync, type Stats } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { crashPoint } from '../../ledger/crash-point.ts';
import { newId } from '../../ledger/ids.ts';

/** The names of the files that are written beside the real ones for a moment. */
export const TEMPORARY = /(?:^|\/)\.fermata-cleanup-[0-9a-z]+$/;

/**
 * Puts other content in a file's place at once, with the same mode and owner. False where the file was changed since
 * `seen`: then it is left alone. Whatever goes wrong, the file is as it was or as it should be.
 */
export async function replaceFile(path: Buffer, content: Buffer, seen: Stats): Promise<boolean> {
  const folder = path.subarray(0, path.lastIndexOf('/') + 1);
  const temporary = Buffer.concat([folder, Buffer.from(`.fermata-${newId('cleanup')}`)]);
  let placed = false;
  try {
    crashPoint('cleanup.begin');
    await writeFile(temporary, content, { flag: 'wx', mode: seen.mode & 0o777 });
    crashPoint('cleanup.written');
    keepOwner(temporary, seen);
    chmodSync(temporary, seen.mode & 0o7777);
    const now = lstatSync(path);
    if (now.mtimeMs !== seen.mtimeMs || now.size !== seen.size || now.ino !== seen.ino) return false;
    await rename(temporary, path);
    placed = true;
    crashPoint('cleanup.replaced');
    return true;
  } finally {
    if (!placed) rmSync(temporary, { force: true });
  }
}

/** Only root works on files of others. */
function keepOwner(path: Buffer, { uid, gid }: Stats): void {
  if (process.getuid?.() === 0 && (uid !== 0 || gid !== 0)) chownSync(path, uid, gid);
}
