import { FermataError } from '../schema/error.ts';

/** Also the limit for a policy in the ledger. */
const MAX_SECONDS = 10 * 365 * 86400;

const units = { s: 1, m: 60, h: 3600, d: 86400 } as const;

/** Seconds of `90`, `30s`, `5m`, `4h` or `2d`; `what` names the field in the error. */
export function parseDuration(text: string, what: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([smhd]?)$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * units[(unit || 's') as keyof typeof units];
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  const why =
    number === undefined
      ? `"${text}" is not a valid duration.`
      : seconds === 0
        ? `"${text}" must be longer than 0.`
        : `"${text}" is longer than ten years.`;
  throw new FermataError('invalid', `${what}: ${why} Write seconds, or 30s, 5m, 4h, 2d.`);
}

/** Like `parseDuration`, in milliseconds, as timers need it. */
export const parseMilliseconds = (text: string, what: string) => parseDuration(text, what) * 1000;

/** A rough, short span for people: `40 s`, `5 min`, `3 h`, `2 d`. */
export function describeDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** A limit, exactly as it was set: `0.5 s`, `90 s`, `30 min`, `2 h`. */
export function describeLimit(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** The most milliseconds that `setTimeout` accepts; more would fire at once. */
export const MAX_TIMER = 2 ** 31 - 1;
