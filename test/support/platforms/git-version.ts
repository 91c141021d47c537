import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A PATH whose git reports this version, and can do nothing else. */
export function gitOfVersion(version: string, parent: string): { PATH: string } {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo "git version ${version}" && exit 0\necho "asked for $*" >&2; exit 99\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return { PATH: [folder, process.env.PATH].join(delimiter) };
}
