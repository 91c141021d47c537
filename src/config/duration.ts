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

/** The most milliseconds that `setTimeout` accepts; more would fire at once. */
export const MAX_TIMER = 2 ** 31 - 1;
