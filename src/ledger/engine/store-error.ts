import { type ErrorCode, FermataError } from '../../schema/error.ts';

/** Turns a store's error into one that a person can act on; passes unknown errors on unchanged. */
export function storeError(error: unknown, place: string): unknown {
  if (error instanceof FermataError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  return code === undefined
    ? error
    : new FermataError(code, sentence(code, place, wordsOf(error)), { cause: error });
}

/** Whether the server is unreachable for now. It would refuse a wrong password or a missing database again. */
export function isStoreUnreachable(error: unknown): boolean {
  if (!(error instanceof FermataError) || error.cause === undefined) return false;
  const { code } = error.cause as { code?: string };
  if (code === TOO_MANY_CONNECTIONS) return true;
  return error.code === 'unavailable' && !(code !== undefined && refusals.has(code));
}

/** Whether a newer version changed a table after this connection had prepared its statements. */
export function isStalePlan(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? error ?? {}) as { code?: unknown };
  return code === STALE_PLAN;
}

/** What to do without the rights to create or change tables on PostgreSQL. */
export const ASK_OWNER = 'Have their owner run "fermata ledger roles --apply".';

const STALE_PLAN = '0A000';
const TOO_MANY_CONNECTIONS = '53300';
const refusals = new Set(['28P01', '28000', '3D000']);

/** If a host has several addresses, Node's error has no text of its own. */
function wordsOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return error.message || (first instanceof Error ? first.message : error.name);
}

function codeOf(error: Error): ErrorCode | undefined {
  const { sqliteCode, code, syscall } = error as { sqliteCode?: number; code?: unknown; syscall?: string };
  if (typeof sqliteCode === 'number') return sqliteCodes[sqliteCode & 0xff];
  if (code === 'ERR_SQLITE_ERROR') return sqliteTexts[error.message];
  if (typeof code !== 'string') return postgresTexts.has(error.message) ? 'unavailable' : undefined;
  if (syscall === 'connect') return 'unavailable'; // a missing socket file means that the server is missing
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

/** The driver's Statement.all() gives only SQLite's text for the number. */
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
  ENETDOWN: 'unavailable',
  EHOSTDOWN: 'unavailable',
  ECONNABORTED: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
};

/** Driver errors without a code. */
const postgresTexts = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

const postgresCodes: Record<string, ErrorCode> = {
  [STALE_PLAN]: 'unavailable',
  '25P03': 'unavailable',
  '53100': 'disk_full',
  [TOO_MANY_CONNECTIONS]: 'busy',
  '55P03': 'busy',
  '40P01': 'busy',
  '25006': 'read_only',
  '42501': 'forbidden',
  '28P01': 'unavailable',
  '28000': 'unavailable',
  '3D000': 'unavailable',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P05': 'unavailable',
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
    case 'forbidden':
      return `Your role may not do this in ${at}: ${detail}. Use a role that may. If this one should (docs/team.md): ${ASK_OWNER}`;
    case 'disk_full':
      return `The disk is full: ${at} could not be written (${detail}). Nothing was changed; free some space and try again.`;
    case 'damaged':
      return `The file at ${place} is not a ledger, or is damaged (${detail}). Nothing was changed; move it away or restore a backup.`;
    default:
      return `Cannot reach ${at}: ${detail}. It is safe to try again.`;
  }
}

/**
 * The result of `work`, or the error `unavailable` if it takes longer than `ms`. The error does not reveal where the store is.
 * `onTooLate` returns whether the work may still be stored, so that the error can say so.
 */
export async function failAfter<T>(
  work: Promise<T>,
  ms: number,
  onTooLate: () => boolean = () => false,
): Promise<T> {
  let alarm: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    alarm = setTimeout(() => reject(storeUnavailable(onTooLate())), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } catch (error) {
    throw isStoreUnreachable(error) ? storeUnavailable(false) : error;
  } finally {
    clearTimeout(alarm);
  }
}

const storeUnavailable = (mayBeStored: boolean) =>
  new FermataError(
    'unavailable',
    mayBeStored
      ? 'The store is unavailable, and it is unknown whether this was stored. Check before you try again.'
      : 'The store is unavailable. Nothing was changed; try again in a moment.',
  );
