import { type ErrorCode, FermataError } from '../schema/error.ts';

/** The meaning of a command's exit code. */
export const exit = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  waiting: 3,
  agent: 4,
  interrupted: 130,
} as const;

/** The only place where an error becomes an exit code. */
export function exitCodeOf(error: unknown): number {
  if (isInterruption(error)) return exit.interrupted;
  if (!(error instanceof FermataError)) return exit.failed;
  if (error.code === 'waiting') return exit.waiting;
  if (error.code === 'no_agent') return exit.agent;
  return wrongUse.has(error.code) ? exit.wrongUse : exit.failed;
}

/** Whether an aborted signal threw it: the person pressed Ctrl-C. */
export function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

const wrongUse = new Set<ErrorCode>(['invalid', 'newer_schema', 'damaged']);
