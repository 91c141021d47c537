import { type ErrorCode, FermataError } from '../../schema/error.ts';

/** Turns a store's own error into one that a person can act on; anything unknown is passed on as it is. */
export function storeError(error: unknown, place: string): unknown {
  if (error instanceof FermataError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  return code === undefined
    ? error
    : new FermataError(code, sentence(code, place, error.message), { cause: error });
}

function codeOf(error: Error): ErrorCode | undefined {
  const { sqliteCode, code } = error as { sqliteCode?: number; code?: unknown };
  if (typeof sqliteCode === 'number') return sqliteCodes[sqliteCode & 0xff];
  if (code === 'ERR_SQLITE_ERROR') return sqliteTexts[error.message];
  if (typeof code !== 'string') return undefined;
  return systemCodes[code] ?? postgresCodes[code] ?? (code.startsWith('08') ? 'unavailable' : undefined);
}

const sqliteCodes: Record<number, ErrorCode> = {
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'unavailable',
  11: 'damaged',
  13: 'disk_full',
  14: 'read_only',
  26: 'damaged',
};

/** Statement.all() of the driver gives only SQLite's text for the number. */
const sqliteTexts: Record<string, ErrorCode> = {
  'database is locked': 'busy',
  'database table is locked': 'busy',
  'attempt to write a readonly database': 'read_only',
  'disk I/O error': 'unavailable',
  'database disk image is malformed': 'damaged',
  'database or disk is full': 'disk_full',
  'unable to open database file': 'read_only',
  'file is not a database': 'damaged',
};

const systemCodes: Record<string, ErrorCode> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  EIO: 'unavailable',
  ENOTDIR: 'read_only',
  EISDIR: 'invalid',
  EEXIST: 'read_only',
  ENOENT: 'read_only',
  ELOOP: 'read_only',
  ENAMETOOLONG: 'read_only',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  ENOTFOUND: 'unavailable',
  ETIMEDOUT: 'unavailable',
  EAI_AGAIN: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  ENETUNREACH: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
};

const postgresCodes: Record<string, ErrorCode> = {
  '53100': 'disk_full',
  '53300': 'busy',
  '55P03': 'busy',
  '40P01': 'busy',
  '25006': 'read_only',
  '42501': 'read_only',
  '28P01': 'unavailable',
  '28000': 'unavailable',
  '3D000': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
};

function sentence(code: ErrorCode, place: string, detail: string): string {
  const at = `the ledger at ${place}`;
  switch (code) {
    case 'busy':
      return `Another program has locked ${at}. Nothing was changed; try again in a moment.`;
    case 'invalid':
      return `${place} is a folder. Pass the ledger file in it.`;
    case 'read_only':
      return `Cannot write ${at}: ${detail}. Give yourself write access, or set FERMATA_HOME to a folder you can write to.`;
    case 'disk_full':
      return `The disk is full: ${at} could not be written (${detail}). Nothing was changed; free some space and try again.`;
    case 'damaged':
      return `The file at ${place} is not a ledger, or is damaged (${detail}). Nothing was changed; move it away or restore a backup.`;
    default:
      return `Cannot reach ${at}: ${detail}. Nothing was confirmed; it is safe to try again.`;
  }
}
