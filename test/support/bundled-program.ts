import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

export interface Program {
  /** What to give to Node. */
  file: string;
  remove(): void;
}

/** Bundles a small program over the ledger once, so that starting it a thousand times costs little. */
export async function bundleProgram(input: string, parent = tmpdir()): Promise<Program> {
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'fermata-program-'));
  const build = await rolldown({
    input: { program: input },
    platform: 'node',
    external: ['pg-native'],
    plugins: [{ name: 'sqlite', resolveId: (id) => (id === SQLITE ? { id: sqlite, external: true } : null) }],
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  try {
    await build.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
  } finally {
    await build.close();
  }
  return { file: join(dir, 'program.mjs'), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

const SQLITE = '@photostructure/sqlite';
// The bundle lies outside of this package, where Node would not find it by name.
const sqlite = pathToFileURL(createRequire(import.meta.url).resolve(SQLITE)).href;
