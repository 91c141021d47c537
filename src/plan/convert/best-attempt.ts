import type { Attempt } from './attempt.ts';

/** Issues that mean that a part of the plan is missing. */
const missing = new Set([
  'NO_FILE_BLOCKS',
  'MASTER_NOT_FOUND',
  'MASTER_PARSE_ERROR',
  'NO_PHASES',
  'PHASE_NOT_FOUND',
  'PHASE_PARSE_ERROR',
]);

/** The attempt that needs the least work: the fewest missing parts, then the fewest errors; if equal, the later one. */
export function bestAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.reduce<Attempt | undefined>(
    (best, attempt) => (best && isBetter(best, attempt) ? best : attempt),
    undefined,
  );
}

function isBetter(a: Attempt, b: Attempt): boolean {
  const [x, y] = [badness(a), badness(b)];
  const at = x.findIndex((value, index) => value !== y[index]);
  return at >= 0 && (x[at] ?? 0) < (y[at] ?? 0);
}

function badness({ issues }: Attempt): number[] {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return [errors.filter(({ code }) => missing.has(code)).length, errors.length, issues.length];
}
