import { statfsSync } from 'node:fs';
import { release } from 'node:os';
import { FermataError } from '../../schema/error.ts';

/** Linux's number for Plan 9's file system, through which WSL reaches the Windows drives. */
const PLAN_9 = 0x01021997;

/** Linux's numbers for network file systems. */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/**
 * Processes that share a ledger need locks and shared memory. Neither works on a Windows drive under WSL, or between
 * machines that share a network drive. Outside WSL, Plan 9 is the local disk of a sandbox.
 */
export function unsafeDrive(fileSystem: number, kernel: string): string | undefined {
  if (fileSystem === PLAN_9 && /microsoft/i.test(kernel)) return 'a Windows drive';
  const network = NETWORK.get(fileSystem);
  return network && `a network drive (${network})`;
}

export function refuseUnsafeDrive(folder: string): void {
  const drive = unsafeDrive(statfsSync(folder).type, release());
  if (drive === undefined) return;
  throw new FermataError(
    'invalid',
    `${folder} is on ${drive}, where a ledger could lose answers that it confirmed. Set FERMATA_HOME to a folder on a local Linux disk, or use PostgreSQL with FERMATA_STORE.`,
  );
}

/** SQLite accepts 512 bytes, and appends `-journal` to the path. */
const MAX_PATH_LENGTH = 504;
/** The longest name of one folder on Linux and macOS. */
const MAX_NAME_LENGTH = 255;

/** SQLite itself would only say that it cannot open the file. */
export function refuseLongPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  const hasLongName = path.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_LENGTH);
  if (bytes <= MAX_PATH_LENGTH && !hasLongName) return;
  const why = hasLongName
    ? `a name in it has more than ${MAX_NAME_LENGTH} bytes`
    : `${bytes} bytes; the limit is ${MAX_PATH_LENGTH}`;
  throw new FermataError(
    'invalid',
    `The path of the ledger is too long (${why}). Set FERMATA_HOME to a shorter path, or FERMATA_STORE to a file elsewhere.`,
  );
}
