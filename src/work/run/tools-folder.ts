import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from '../../agents/process/own-program.ts';

/** A folder for an agent's PATH in which our commands are those of this very installation, under all their names. */
export function toolsFolder(storage: string): string {
  const folder = join(storage, 'bin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(ownProgram('fermata.cjs'))} "$@"\n`;
  for (const name of ['fermata', 'envoy', 'debussy']) place(join(folder, name), script);
  return folder;
}

/** In one move: another process may be starting it just now. */
function place(path: string, script: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === script) return;
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, script);
  chmodSync(fresh, 0o755);
  renameSync(fresh, path);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
