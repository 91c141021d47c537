import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Loads modules that the library does not export, in one bundle, so that all of them share the same error classes.
 * @param {Record<string, string>} names where each name comes from, below src
 */
export async function loadSource(names) {
  const entry = join(ROOT, 'dist', `bench-${process.pid}.ts`);
  const file = join(ROOT, 'dist', `bench-${process.pid}.mjs`);
  const from = (path) => JSON.stringify(join(ROOT, 'src', path));
  const lines = Object.entries(names).map(([name, path]) => `export { ${name} } from ${from(path)};\n`);
  writeFileSync(entry, lines.join(''));
  const external = [/^node:/, '@photostructure/sqlite', 'pg-native'];
  const build = await rolldown({ input: entry, platform: 'node', external, logLevel: 'silent' });
  try {
    await build.write({ file, format: 'esm', codeSplitting: false });
    return await import(pathToFileURL(file).href);
  } finally {
    await build.close();
    rmSync(file, { force: true });
    rmSync(entry, { force: true });
  }
}
