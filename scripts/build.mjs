// Makes dist/: the command line in one file, the library, its types, the JSON Schemas, and the web inbox.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';
import { protocolFiles } from './protocol-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const NEW = join(ROOT, '.dist-new');
const OLD = join(ROOT, '.dist-old');
const NATIVE = ['@photostructure/sqlite', 'pg-native'];
// Node has these in memory before our first line runs; anything else is loaded when a module that needs it runs.
const LOADED_BY_NODE = ['buffer', 'events', 'fs', 'module', 'path', 'timers', 'url', 'util'];

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
  replaceDist();
} catch (error) {
  console.error(error.stdout || error.message); // tsc writes its errors to stdout
  process.exitCode = 1;
}

/** In one move, so that programs that run from dist meanwhile keep working, and a failed build leaves the old one. */
function replaceDist() {
  remove(OLD);
  if (existsSync(DIST)) renameSync(DIST, OLD);
  renameSync(NEW, DIST);
  remove(OLD);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

async function buildCli() {
  const file = join(NEW, 'cli.cjs');
  await bundleProgram('src/cli/main.ts', file);
  const code = readFileSync(file, 'utf8');
  // The launcher keys its code cache by this first line.
  writeFileSync(file, `// build ${createHash('sha256').update(code).digest('hex')}\n${code}`);
}

/** On its own, so that it starts fast: tests start it by the hundred. */
async function buildScriptedAgent() {
  await bundleProgram('src/agents/scripted/main.ts', join(NEW, 'scripted-agent.cjs'));
}

async function bundleProgram(input, file) {
  await bundle(
    [input],
    { plugins: [lazyExternals()] },
    {
      file,
      format: 'cjs',
      codeSplitting: false, // dynamic imports stay in this file, each evaluated when it is first imported
      dynamicImportInCjs: false, // the launcher's vm.Script cannot serve import()
      // Lines and names stay: Node prints the line of an uncaught error.
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    },
  );
}

async function buildLibrary() {
  await bundle(
    ['src/index.ts', 'src/testing.ts'],
    { external: NATIVE },
    { dir: NEW, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  );
}

async function buildTypes() {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  await promisify(execFile)(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--outDir', join(NEW, 'types')],
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
    build: { outDir: join(NEW, 'web'), emptyOutDir: true },
  });
}

async function bundle(inputs, options, output) {
  const build = await rolldown({
    input: Object.fromEntries(inputs.map((input) => [input.replace(/^.*\/|\.ts$/g, ''), join(ROOT, input)])),
    cwd: ROOT,
    platform: 'node',
    ...options,
    plugins: [protocolFiles(), ...(options.plugins ?? [])],
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  try {
    await build.write(output);
  } finally {
    await build.close();
  }
}

/**
 * rolldown puts the `require` of every external module at the top of the file, also of those that only a lazy
 * module imports. Wrapped in a tiny CommonJS module each, they are loaded when the importing module runs.
 */
function lazyExternals() {
  const lazy = new Set([...NATIVE, ...builtinModules.filter((name) => !LOADED_BY_NODE.includes(name))]);
  const prefix = '\0lazy:';
  const UNUSED = '\0unused';
  return {
    name: 'lazy-externals',
    resolveId(id, importer) {
      if (importer?.startsWith(prefix)) return { id, external: true };
      if (importer?.includes('/commander/') && id === 'node:child_process')
        return { id: UNUSED, moduleSideEffects: false };
      return lazy.has(id.replace(/^node:/, '')) ? { id: prefix + id, moduleSideEffects: false } : undefined;
    },
    load(id) {
      // Commander starts programs only for sub-commands that are files of their own; ours are not.
      if (id === UNUSED) return { code: 'module.exports = {};', moduleType: 'js' };
      if (!id.startsWith(prefix)) return undefined;
      return {
        code: `module.exports = require(${JSON.stringify(id.slice(prefix.length))});`,
        moduleType: 'js',
      };
    },
  };
}
