import { lstatSync, rmSync, type Stats } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { crashPoint } from '../../ledger/crash-point.ts';
import { newId } from '../../ledger/ids.ts';

/** The names of temporary files, which exist briefly next to the real ones. */
export const TEMPORARY = /(?:^|\/)\.fermata-cleanup-[0-9a-z]+$/;

/**
 * Replaces a file's content atomically, with the same mode and owner. False if the file changed since `seen`; then it
 * stays unchanged. Whatever fails, the file is in its old or its new state.
 */
export async function replaceFile(path: Buffer, content: Buffer, seen: Stats): Promise<boolean> {
  const folder = path.subarray(0, path.lastIndexOf('/') + 1);
  const temporary = Buffer.concat([folder, Buffer.from(`.fermata-${newId('cleanup')}`)]);
  let placed = false;
  try {
    crashPoint('cleanup.begin');
    await writeNew(temporary, content, seen);
    crashPoint('cleanup.written');
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

/** Through its handle, so that nothing put in its place gets another owner or mode. Only root changes files of other users. */
async function writeNew(path: Buffer, content: Buffer, { mode, uid, gid }: Stats): Promise<void> {
  const file = await open(path, 'wx', mode & 0o777);
  try {
    await file.writeFile(content);
    if (process.getuid?.() === 0 && (uid !== 0 || gid !== 0)) await file.chown(uid, gid);
    await file.chmod(mode & 0o7777);
  } finally {
    await file.close();
  }
}
