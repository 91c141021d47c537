import { FermataError } from './error.ts';

/** The disk is full; `what` says what could not be written. */
export function diskFull(what: string, options?: { details?: unknown; cause?: unknown }): FermataError {
  return new FermataError('disk_full', `The disk is full: ${what}. Free some space and try again.`, options);
}

/** If an error or its cause says that a disk is full, an error that a person can act on; otherwise undefined. */
export function asDiskFull(error: unknown): FermataError | undefined {
  if (error instanceof FermataError && error.code === 'disk_full') return error;
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return diskFull(`${path ?? 'a file'} could not be written`, { cause: error });
  return asDiskFull(error.cause);
}
