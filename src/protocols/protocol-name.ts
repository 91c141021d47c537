import { shown } from './shown.ts';

/** A name is also the name of a file, so it must not contain a path. */
export function nameFault(name: string): string | undefined {
  // Most names are plain, and the tables of Unicode take a millisecond to load.
  if (/^\w[\w.-]{0,99}$/.test(name) || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,99}$/u.test(name)) return undefined;
  return `"${shown(name)}" cannot be the name of a protocol: use letters, digits, "-", "_" and ".", without a path.`;
}
