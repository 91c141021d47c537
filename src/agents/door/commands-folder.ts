import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../schema/command-line.ts';
import { ownProgram } from '../process/own-program.ts';
import { programNames } from '../program-names.ts';

/** Creates a folder for an agent's PATH in which our commands, under all their names, are those of this installation. */
export function makeCommandsFolder(parent: string): string {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(ownProgram('fermata.cjs'))} "$@"\n`;
  for (const name of programNames) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  chmodSync(folder, 0o755);
  return folder;
}
