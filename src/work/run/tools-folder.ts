import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from '../../agents/process/own-program.ts';
import { quoted } from '../../agents/shell-words.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';

/** A folder for an agent's PATH in which our commands are those of this very installation, under all their names. */
export function toolsFolder(storage: string): string {
  const folder = join(storage, 'bin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(ownProgram('fermata.cjs'))} "$@"\n`;
  for (const name of ['fermata', 'envoy', 'debussy']) place(join(folder, name), script);
  return folder;
}

/** Another process may be starting it just now. */
function place(path: string, script: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === script) return;
  writeAtOnce(path, script, 0o755);
}
