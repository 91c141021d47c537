import { type ErrorCode, FermataError } from '../../schema/error.ts';

/** Failures around the work, not in it: a git lock, a missing program, an unavailable store. */
const codes = new Set<ErrorCode>(['busy', 'unavailable', 'read_only']);
const systemCodes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'EROFS', 'EBUSY']);

/** A description of the environment's failure; undefined if the error concerns the work itself. */
export function environmentFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof FermataError) return codes.has(error.code) ? error.message : undefined;
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  const isMissingProgram = code === 'ENOENT' && syscall.startsWith('spawn');
  return isMissingProgram || (code !== undefined && systemCodes.has(code)) ? error.message : undefined;
}

/** Signals that come from outside; a program that crashes by itself ends differently. */
const signals = new Set<unknown>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

export const isSignalFromOutside = (signal: unknown) => signals.has(signal);

/** The agent is not at fault: its program was missing, or something ended it. */
export const isEnvironmentEnd = ({ reason, signal }: { reason: string; signal?: unknown }) =>
  reason === 'missing' || (reason === 'crashed' && isSignalFromOutside(signal));
