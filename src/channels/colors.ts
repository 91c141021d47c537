import { createColors } from 'picocolors';

/** Colours only for a person at a terminal: not in a pipe, not in CI, and not if `NO_COLOR` is set. */
export function colorsOn({ isTTY }: Pick<NodeJS.WriteStream, 'isTTY'>) {
  const { NO_COLOR, TERM } = process.env;
  return createColors(Boolean(isTTY) && !NO_COLOR && TERM !== 'dumb');
}
