// Makes `import declaration from './x.yaml'` and `import text from './x.txt'` (or `.md`) work in the build and in the tests. A YAML
// file is parsed and checked here, once, so that the program needs no YAML parser for the protocols that come with it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const PARSER = fileURLToPath(new URL('../src/protocols/parse-protocol.ts', import.meta.url));
let parser;

export function dataFiles() {
  return {
    name: 'data-files',
    enforce: 'pre', // Vite would make the address of an asset from a text file
    async load(id) {
      if (/\.(?:txt|md)$/.test(id)) return moduleOf(readFileSync(id, 'utf8'));
      if (!id.endsWith('.yaml')) return undefined;
      parser ??= loadParser();
      const { parseProtocol } = await parser;
      const name = basename(id, '.yaml');
      const parsed = parseProtocol(readFileSync(id, 'utf8'), `builtin/${name}.yaml`, name);
      if (parsed.problems.length > 0) throw new Error(`${id}: ${JSON.stringify(parsed.problems)}`);
      return moduleOf(parsed.declaration);
    },
  };
}

const moduleOf = (value) => ({ code: `export default ${JSON.stringify(value)};`, moduleType: 'js' });

async function loadParser() {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-build-'));
  const build = await rolldown({ input: PARSER, platform: 'node' });
  try {
    const file = join(folder, 'parse-protocol.mjs');
    await build.write({ file, format: 'esm' });
    return await import(pathToFileURL(file).href);
  } finally {
    await build.close();
    rmSync(folder, { recursive: true });
  }
}
