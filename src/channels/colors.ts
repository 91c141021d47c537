import { createColors } from 'picocolors';

/** Colours for a person at a terminal, and for nobody else: not in a pipe, not in CI, and not where `NO_COLOR` is set. */
export function colorsOn({ isTTY }: Pick<NodeJS.WriteStream, 'isTTY'>) {
  const { NO_COLOR, TERM } = process.env;
  return createColors(Boolean(isTTY) && !NO_COLOR && TERM !== 'dumb');
}
