import { type ErrorCode, FermataError } from '../../schema/error.ts';

/** What goes wrong around the work, not in it: a lock of git, a program that is missing, a store that is away. */
const codes = new Set<ErrorCode>(['busy', 'unavailable', 'read_only']);
const systemCodes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'EROFS', 'EBUSY']);

/** What the environment did, in words; undefined if the error is about the work itself. */
export function environmentFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof FermataError) return codes.has(error.code) ? error.message : undefined;
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  const isMissingProgram = code === 'ENOENT' && syscall.startsWith('spawn');
  return isMissingProgram || (code !== undefined && systemCodes.has(code)) ? error.message : undefined;
}

/** Signals that come from outside: a program that breaks by itself ends otherwise. */
const signals = new Set<unknown>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

export const isSignalFromOutside = (signal: unknown) => signals.has(signal);

/** The agent did nothing wrong: its program was not there, or somebody ended it. */
export const isEnvironmentEnd = ({ reason, signal }: { reason: string; signal?: unknown }) =>
  reason === 'missing' || (reason === 'crashed' && isSignalFromOutside(signal));
