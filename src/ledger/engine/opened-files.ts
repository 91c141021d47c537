import { existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { FermataError } from '../../schema/error.ts';

/** What makes a file the same file, whatever its name is. */
export interface Identity {
  device: number;
  inode: number;
}

/**
 * Notices when the ledger's file or its log is no longer the one that this process opened, so that what it writes would be
 * lost. `identity` is that of the file before it was opened, `log` the open log. `save` copies the log into the file.
 */
export function watchFiles(path: string, identity: Identity, log: number, save: () => void) {
  const logPath = `${path}-wal`;
  const logIdentity = toIdentity(fstatSync(log));
  let error: FermataError | undefined;

  const look = () => {
    if (error) return;
    if (!isSame(path, identity)) error = lostFile(path, false);
    else if (!isSame(logPath, logIdentity)) error = lostFile(logPath, saved());
  };
  /** As long as no other program has begun a new log, ours can still be copied into the file. */
  const saved = () => {
    if (existsSync(logPath)) return false;
    try {
      save();
      return true;
    } catch {
      return false; // the sentence says so
    }
  };

  return {
    isLost() {
      look();
      return error !== undefined;
    },
    requireKept() {
      look();
      if (error) throw error;
    },
  };
}

export const identityOf = (path: string): Identity => toIdentity(statSync(path));

const toIdentity = ({ dev, ino }: Stats): Identity => ({ device: dev, inode: ino });

function isSame(path: string, { device, inode }: Identity): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.dev === device && found.ino === inode;
}

function lostFile(path: string, isSaved: boolean): FermataError {
  const next = isSaved
    ? 'Everything that was acknowledged is saved in the ledger: restart this program.'
    : 'What it stored last may be lost: check the ledger, restore a backup if something is missing, then restart this program.';
  return new FermataError(
    'damaged',
    `${path} was replaced or deleted while this program was using it, so it stores nothing more. ${next}`,
    // The hub tells its clients nothing about files.
    { cause: new Error('another file is at this path') },
  );
}
