import { FAILED, hasFailed, isStoppedByEnvironment } from '../../schema/block-reason.ts';
import { asDiskFull } from '../../schema/disk-full.ts';
import { type ErrorCode, FermataError } from '../../schema/error.ts';
import type { RunEnding } from '../../schema/run.ts';
import { saysScarce, systemAdvice } from '../../schema/system-fault.ts';
import type { Task } from '../../schema/task.ts';

/** Failures around the work, not in it: a git lock, a missing program, an unavailable store. */
const codes = new Set<ErrorCode>(['busy', 'unavailable', 'read_only']);

/** A description of the environment's failure; undefined if the error concerns the work itself. */
export function environmentFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message, cause, syscall = '' } = error as NodeJS.ErrnoException;
  if (error instanceof FermataError)
    return codes.has(error.code) || systemAdvice(cause) !== undefined ? message : undefined;
  const advice = systemAdvice(error);
  if (advice !== undefined) return `${message}. ${advice}`;
  return code === 'ENOENT' && syscall.startsWith('spawn') ? message : undefined;
}

/** Signals that come from outside; a program that crashes by itself ends differently. */
const signals = new Set<unknown>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

export const isSignalFromOutside = (signal: unknown) => signals.has(signal);

/** The agent is not at fault: its program was missing, or something ended it, or the system refused it what it needs. */
export function isEnvironmentEnd({ reason, signal, exitCode, message }: Omit<RunEnding, 'text'>): boolean {
  if (reason === 'missing' || (reason === 'crashed' && isSignalFromOutside(signal))) return true;
  const hasFailed = reason === 'crashed' || reason === 'failed';
  return hasFailed && exitCode !== 0 && typeof exitCode === 'number' && saysScarce(message);
}

/** An agent's model is unreachable. `what` describes it, without how a person resumes the work. */
export class ModelOutage extends FermataError {
  readonly what: string;

  constructor(what: string, resume: string) {
    super('no_agent', `${what} All sessions are kept. Resume with: ${resume}`);
    this.what = what;
  }
}

/** An error that would stop the next task too: a full disk or an unreachable model. Undefined for any other error. */
export function asOutage(error: unknown): FermataError | undefined {
  const full = asDiskFull(error);
  if (full) return full;
  return error instanceof FermataError && error.code === 'no_agent' ? error : undefined;
}

/** The block reason of a task whose work failed. */
export const failureReason = (message: string) => `${FAILED}${message}`.slice(0, 4000);

/** Whether a task is blocked because the work on it failed, and not because somebody blocked it. */
export const isFailedHere = (task: Pick<Task, 'status' | 'blockReason'>) =>
  isStoppedByEnvironment(task) || hasFailed(task);

/** Another process has it by now, or it was closed. */
export const isStale = (error: unknown) => error instanceof FermataError && error.code === 'stale';

/** Then there is nothing to end or release: somebody stopped, withdrew or closed it meanwhile, and that counts. */
export async function ignoreStale(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isStale(error)) throw error;
  }
}
