import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A real PostgreSQL with a new database: the tests' launcher, which is TypeScript and so goes through the bundler, or
 * the server that FERMATA_TEST_POSTGRES names.
 * @returns {Promise<{ place: string, stop(): Promise<void> }>}
 */
export async function startPostgres() {
  const dir = mkdtempSync(join(ROOT, 'node_modules', '.fermata-bench-'));
  const file = join(dir, 'postgres.mjs');
  try {
    const input = join(ROOT, 'test/support/postgres.ts');
    const build = await rolldown({ input, cwd: ROOT, platform: 'node', external: ['pg'], logLevel: 'warn' });
    await build.write({ file, format: 'esm' });
    await build.close();
    const { createDatabase, startPostgres: start } = await import(pathToFileURL(file).href);
    const given = process.env.FERMATA_TEST_POSTGRES;
    if (given) return { place: await createDatabase(given), stop: async () => undefined };
    const server = await start();
    return { place: await server.createDatabase(), stop: server.stop };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
