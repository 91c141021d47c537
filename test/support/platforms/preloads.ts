import { delimiter, join } from 'node:path';

const here = import.meta.dirname;

/** The environment in which these scripts of this folder run before any program for Node. */
export const preloaded = (...names: string[]) => ({
  NODE_OPTIONS: names.map((name) => `--require ${JSON.stringify(join(here, name))}`).join(' '),
});

/**
 * The environment in which our programs see what differs on macOS. The order matters, because the first one
 * reads /proc.
 */
export const likeMacOs = {
  ...preloaded('zombie-groups.cjs', 'no-proc.cjs'),
  PATH: [join(here, 'bin'), process.env.PATH].join(delimiter),
};
