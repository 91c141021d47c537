import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { dataFiles } from './data-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where a bundle of this process belongs: in dist, where modules of src find the programs that they start. */
export const bundlePath = join(ROOT, 'dist', `bundle-${process.pid}.mjs`);

/** Makes one file of a TypeScript module and everything it imports. */
export async function bundle(input, file) {
  const build = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite', 'pg-native'],
    plugins: [dataFiles()],
    logLevel: 'silent',
  });
  await build.write({ file, format: 'esm', codeSplitting: false });
  await build.close();
}

/**
 * Loads modules that the library does not export, in one bundle, so that all of them share the same error classes.
 * @param {Record<string, string>} names where each name comes from
 */
export async function loadSource(names) {
  const entry = `${bundlePath}.ts`;
  const from = (path) => JSON.stringify(join(ROOT, path));
  const lines = Object.entries(names).map(([name, path]) => `export { ${name} } from ${from(path)};\n`);
  writeFileSync(entry, lines.join(''));
  try {
    await bundle(entry, bundlePath);
    return await import(pathToFileURL(bundlePath).href);
  } finally {
    rmSync(bundlePath, { force: true });
    rmSync(entry, { force: true });
  }
}
