import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Program = 'fermata.cjs' | 'leash.cjs' | 'scripted-agent.cjs' | 'ask-human.cjs';

/** A program of this installation in `bin/`, which is above this file in the sources and above the bundle in the package. */
export function ownProgram(name: Program): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'bin', name);
    if (existsSync(path)) return path;
  }
  throw new Error(`bin/${name} is missing from the installation`);
}
