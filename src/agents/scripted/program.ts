import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The scripted agent's program: in `bin/`, above this file in the sources and above the bundle in the package. */
export function scriptedAgentProgram(): string {
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const path = join(folder, 'bin', 'scripted-agent.cjs');
    if (existsSync(path)) return path;
  }
  throw new Error('bin/scripted-agent.cjs is missing from the installation');
}
