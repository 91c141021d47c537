import { FermataError } from '../../schema/error.ts';

/** SQLite accepts 512 bytes, and appends `-journal` to the path. */
const LONGEST_PATH = 504;
/** The longest name of one folder on Linux and macOS. */
const LONGEST_NAME = 255;

/** SQLite itself would only say that it cannot open the file. */
export function refuseLongPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  const hasLongName = path.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME);
  if (bytes <= LONGEST_PATH && !hasLongName) return;
  const limit = hasLongName
    ? `no folder in it may have more than ${LONGEST_NAME}`
    : `at most ${LONGEST_PATH} work`;
  throw new FermataError(
    'invalid',
    `The path of the ledger is too long: it has ${bytes} bytes, and ${limit}. Set FERMATA_HOME to a shorter path, or FERMATA_STORE to a file elsewhere.`,
  );
}
