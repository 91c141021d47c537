import { parseMilliseconds } from '../config/duration.ts';
import { FermataError } from '../schema/error.ts';

/** The time that `--since` names: a date, or how long ago. */
export function beginOf(since: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(since);
  const at = isDate ? Date.parse(since.length === 10 ? `${since}T00:00` : since) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  if (isDate)
    throw new FermataError('invalid', `--since: "${since}" is not a date. Write 2026-11-01, or 30d.`);
  return new Date(Date.now() - parseMilliseconds(since, '--since')).toISOString();
}
