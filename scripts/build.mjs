// Makes dist/: the command line in one file, the library, its types, the JSON Schemas, the web inbox, and the licences
// of what they contain.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';
import { dataFiles } from './data-files.mjs';
import { lazyRequires } from './lazy-requires.mjs';
import { bundledPackages, licencesText } from './licences.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const NEW = join(ROOT, '.dist-new');
const OLD = join(ROOT, '.dist-old');
const SRC = join(ROOT, 'src/');
const NATIVE = ['@photostructure/sqlite', 'pg-native'];
// Each file of schemas is a part of its own, because building zod schemas takes longer than anything else at the start.
const EACH_SCHEMA_FILE = {
  debugName: 'schemas',
  test: (file) => file.startsWith(join(SRC, 'schema/')),
  name: (file) => basename(file, '.ts'),
  includeDependenciesRecursively: false,
};

const bundled = new Set();

try {
  remove(NEW);
  await Promise.all([
    buildCli(),
    buildScriptedAgent(),
    buildLibrary(),
    buildTypes(),
    buildSchemas(),
    buildWeb(),
  ]);
  writeFileSync(join(NEW, 'LICENCES.txt'), licencesText(bundled));
  replaceDist();
} catch (error) {
  console.error(error.stdout || error.message); // tsc writes its errors to stdout
  process.exitCode = 1;
}

/** Renames the folders, so that programs running from dist keep working, and a failed build leaves the old one. */
function replaceDist() {
  remove(OLD);
  if (existsSync(DIST)) renameSync(DIST, OLD);
  renameSync(NEW, DIST);
  remove(OLD);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

/**
 * Builds parts that are loaded on demand, so that a command's start does not pay for the others. All are in one file,
 * `cli.bundle`: the length of its index in 8 digits, the index, the parts.
 */
async function buildCli() {
  const folder = join(NEW, 'bundle.tmp');
  await bundleProgram('src/cli/main.ts', {
    dir: folder,
    entryFileNames: 'cli.cjs',
    chunkFileNames: 'cli/[name]-[hash].cjs',
    codeSplitting: { groups: [EACH_SCHEMA_FILE] },
  });
  const names = ['cli.cjs', ...readdirSync(join(folder, 'cli')).map((name) => `cli/${name}`)];
  const codes = names.map((name) => Buffer.from(toAscii(readFileSync(join(folder, name), 'utf8'))));
  remove(folder);
  let start = 0;
  const parts = names.map((name, index) => {
    const length = codes[index]?.length ?? 0;
    start += length;
    return [name, [start - length, length]];
  });
  const build = createHash('sha256').update(Buffer.concat(codes)).digest('hex').slice(0, 16);
  const index = Buffer.from(JSON.stringify({ build, parts: Object.fromEntries(parts) }));
  const length = Buffer.from(String(index.length).padStart(8, '0'));
  writeFileSync(join(NEW, 'cli.bundle'), Buffer.concat([length, index, ...codes]));
}

/**
 * Escapes all non-ASCII characters, in strings, patterns and comments alike, because V8 and Node handle such code much
 * faster. Leaves code alone in which an escape would mean something else.
 */
function toAscii(code) {
  if (/String\.raw`[^`]*[^\0-\x7f]|(?<!\\)(\\\\)*\\[^\0-\x7f]/.test(code)) return code;
  return code.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Built separately so that it starts fast: tests start it by the hundred. */
async function buildScriptedAgent() {
  await bundleProgram('src/testing/main.ts', {
    file: join(NEW, 'scripted-agent.cjs'),
    codeSplitting: false,
  });
}

async function bundleProgram(input, output) {
  await bundle(
    [input],
    {
      external: NATIVE,
      plugins: [leaveOut(), lazyRequires()],
      preserveEntrySignatures: 'allow-extension',
      // No file of ours is imported for what it does when it is loaded.
      treeshake: { moduleSideEffects: (file) => (file.startsWith(SRC) ? false : undefined) },
    },
    {
      ...output,
      format: 'cjs',
      dynamicImportInCjs: false, // the launcher's vm.Script cannot serve import()
      // Keep lines and names, because Node prints the line of an uncaught error.
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    },
  );
}

async function buildLibrary() {
  await bundle(
    ['src/index.ts', 'src/schema.ts', 'src/testing.ts'],
    { external: NATIVE },
    { dir: NEW, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  );
}

async function buildTypes() {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  await promisify(execFile)(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--singleThreaded', '--outDir', join(NEW, 'types')],
    { cwd: ROOT },
  );
}

async function buildSchemas() {
  const script = join(NEW, 'json-schemas.tmp.mjs');
  await bundle(['src/schema/json-schemas.ts'], { external: NATIVE }, { file: script, format: 'esm' });
  const { jsonSchemas } = await import(pathToFileURL(script).href);
  remove(script);
  mkdirSync(join(NEW, 'schemas'), { recursive: true });
  for (const [name, schema] of Object.entries(jsonSchemas())) {
    writeFileSync(join(NEW, 'schemas', `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
  }
}

async function buildWeb() {
  await buildWithVite({
    configFile: join(ROOT, 'web', 'vite.config.ts'),
    plugins: [bundledPackages(bundled)],
    build: { outDir: join(NEW, 'web'), emptyOutDir: true },
  });
  for (const name of readdirSync(join(NEW, 'web'), { recursive: true })) compressFile(join(NEW, 'web', name));
}

/** The hub sends these instead of the file to a browser that takes them. */
function compressFile(path) {
  if (!/\.(?:js|css|html|svg|webmanifest)$/.test(path)) return;
  const text = readFileSync(path);
  writeFileSync(`${path}.br`, brotliCompressSync(text));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}

async function bundle(inputs, options, output) {
  const build = await rolldown({
    input: Object.fromEntries(inputs.map((input) => [input.replace(/^.*\/|\.ts$/g, ''), join(ROOT, input)])),
    cwd: ROOT,
    platform: 'node',
    ...options,
    plugins: [dataFiles(), bundledPackages(bundled), ...(options.plugins ?? [])],
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  try {
    await build.write(output);
  } finally {
    await build.close();
  }
}

/** Replaces what is imported but not needed. */
function leaveOut() {
  const UNUSED = '\0unused';
  const NO_VALIDATOR = '\0no-validator';
  return {
    name: 'leave-out',
    resolveId(id, importer) {
      if (importer?.includes('/commander/') && id === 'node:child_process')
        return { id: UNUSED, moduleSideEffects: false };
      if (id === '@modelcontextprotocol/server/_shims') return { id: NO_VALIDATOR, moduleSideEffects: false };
      return undefined;
    },
    load(id) {
      // Commander starts programs only for sub-commands in separate files; ours are not.
      if (id === UNUSED) return { code: 'module.exports = {};', moduleType: 'js' };
      // The MCP package brings 300 kB of AJV for forms that it checks itself; we check them with our own schemas.
      if (id === NO_VALIDATOR)
        return {
          code: 'export class DefaultJsonSchemaValidator {}\nexport const process = globalThis.process;',
          moduleType: 'js',
        };
      return undefined;
    },
  };
}
