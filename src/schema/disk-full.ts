import { FermataError } from './error.ts';

/** There is no room: what could not be written, in words. */
export function diskFull(what: string, options?: { details?: unknown; cause?: unknown }): FermataError {
  return new FermataError('disk_full', `The disk is full: ${what}. Free some space and try again.`, options);
}

/** An error that says, itself or by its cause, that a disk is full, as one that a person can act on; else undefined. */
export function asDiskFull(error: unknown): FermataError | undefined {
  if (error instanceof FermataError && error.code === 'disk_full') return error;
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return diskFull(`${path ?? 'a file'} could not be written`, { cause: error });
  return asDiskFull(error.cause);
}
