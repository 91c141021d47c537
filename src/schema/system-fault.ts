/** What a person can do if the system refuses something for a reason that has nothing to do with what was asked of it. */
const advice: Record<string, string> = {
  EMFILE: 'Too many files are open. Do less at the same time, or raise the limit ("ulimit -n").',
  ENFILE: 'Too many files are open on this machine. Do less at the same time.',
  EAGAIN: 'Too many processes are running. Do less at the same time, or raise the limit ("ulimit -u").',
  ENOMEM: 'The memory is full. Do less at the same time.',
  EIO: 'The disk reports an error. Check it.',
  EBUSY: 'Another program is using it. Try again when that is done.',
  EACCES: 'Give yourself access to it.',
  EPERM: 'Give yourself access to it.',
  EROFS: 'Make it writable.',
};

/** Then the system refuses everybody everything of that kind, so a file that cannot be read may be there all the same. */
const scarce = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'EIO']);

/** What a person can do about an error of the system, whatever wraps it; undefined if the error may be about the work. */
export function systemAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return advice[(error as NodeJS.ErrnoException).code ?? ''] ?? systemAdvice(error.cause);
}

/** Whether a program reports that the system refused it something, not that its work failed. */
export const saysScarce = (words: string) =>
  /Resource temporarily unavailable|Too many open files|Cannot allocate memory|No space left on device|\b(?:EAGAIN|EMFILE|ENFILE|ENOMEM|ENOSPC)\b/i.test(
    words,
  );

/** Throws an error that says nothing about the file in question. */
export function throwIfScarce(error: unknown): void {
  if (scarce.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
