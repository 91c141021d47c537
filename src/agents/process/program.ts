import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realPath } from '../../files/real-path.ts';

/**
 * The absolute path of a program; undefined if it is not found. Skips relative folders of the PATH, because they would
 * run files from a repository.
 */
export function findProgram(
  name: string,
  env: Record<string, string | undefined>,
  cwd: string,
): string | undefined {
  if (isAbsolute(name) || name.includes('/')) {
    const path = resolve(cwd, name);
    return isProgram(path) ? path : undefined;
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (isAbsolute(folder) && isProgram(path)) return path;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

type Program = 'fermata.cjs' | 'leash.cjs' | 'scripted-agent.cjs' | 'ask-human.cjs';

/** A program of this installation in `bin/`. */
export const ownProgram = (name: Program) => ownPath(`bin/${name}`);

/** A file or folder of this installation, which is above this file in the sources and above the bundle in the package. */
export function ownPath(name: string): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  throw new Error(`${name} is missing from the installation`);
}

/** The folder with the JSON Schemas of gate files, for editors that complete and check them. */
export const schemasFolder = (): string => join(dirname(ownProgram('fermata.cjs')), '..', 'dist', 'schemas');

/** The names of this program: its own, and those of the programs whose commands it accepts. */
export const programNames = ['fermata', 'debussy', 'envoy', 'rslph'] as const;

const NAME = 'scripted-agent.cjs';

/** The variable that names its scenario. */
export const SCENARIO = /^FAKE_CLAUDE_CONFIG$/;

export function scriptedAgentProgram(): string {
  return ownProgram(NAME);
}

/** Whether a path leads to the scripted agent, even through links. */
export const isScriptedAgent = (path: string) => basename(realPath(path)) === NAME;
