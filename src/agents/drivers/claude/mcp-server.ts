import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer } from './argv.ts';

/** `fermata mcp` of this installation: in `bin/`, above the sources and above the bundle. */
export function ownMcpServer(): McpServer {
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const path = join(folder, 'bin', 'fermata.cjs');
    if (existsSync(path)) return { command: process.execPath, args: [path, 'mcp'] };
  }
  throw new Error('bin/fermata.cjs is missing from the installation');
}
