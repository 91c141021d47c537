// Installs and builds what is missing or stale. Runs before anything is installed, so it has no dependencies.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unmet } from '../bin/requirements.cjs';
import { AGENT_CLIS, missingAgentClis } from './agent-clis.mjs';
import { runQuietly } from './processes.mjs';
import { withLock } from './setup-lock.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INSTALL_STAMP = join(ROOT, 'node_modules', '.fermata-installed');
const BUILD_STAMP = join(ROOT, 'dist', '.fermata-built');
const AGENT_CLIS_STAMP = join(AGENT_CLIS, 'node_modules', '.fermata-installed');
const LOCK = join(ROOT, '.setup.lock');
const AGENT_CLIS_LOCK = join(AGENT_CLIS, '.setup.lock');
const BUILD_INPUTS = [
  'src',
  'web',
  'bin',
  'scripts/build.mjs',
  'scripts/licences.mjs',
  'scripts/data-files.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
];

export async function ensureInstalled() {
  const problem = unmet(process.platform, process.versions.node);
  if (problem) throw new SetupError(problem);
  if (isInstalled()) return;
  await withLock(LOCK, async () => {
    if (isInstalled()) return;
    await step('Installing packages (once)', () => runQuietly(...npm('ci', '--include=dev', ...QUIET), ROOT));
    writeFileSync(INSTALL_STAMP, lockHash(ROOT));
  });
}

export async function ensureBuilt() {
  if (read(BUILD_STAMP) === contentHash(ROOT, BUILD_INPUTS)) return;
  await withLock(LOCK, async () => {
    const hash = contentHash(ROOT, BUILD_INPUTS);
    if (read(BUILD_STAMP) === hash) return;
    await step('Building', () => runQuietly(process.execPath, ['scripts/build.mjs'], ROOT));
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    writeFileSync(BUILD_STAMP, hash);
  });
}

/**
 * Installs the real agent CLIs, about 1 GB, for the tests only. Throws AgentClisUnavailable if this platform or network
 * does not have them; any other failure is a plain SetupError.
 */
export async function ensureAgentClis() {
  if (hasAgentClis()) return;
  await withLock(AGENT_CLIS_LOCK, async () => {
    if (hasAgentClis()) return;
    await step('Installing the agent CLIs for the tests (once)', installAgentClis);
    const missing = missingAgentClis();
    // npm skips a platform package that it cannot get. Without a stamp the next run tries again.
    if (missing.length > 0)
      throw new AgentClisUnavailable(
        `npm has no ${missing.join(', ')} for ${process.platform} on ${process.arch}.`,
      );
    writeFileSync(AGENT_CLIS_STAMP, lockHash(AGENT_CLIS));
  });
}

async function installAgentClis() {
  try {
    await runQuietly(...npm('ci', '--ignore-scripts', ...FEW_RETRIES, ...QUIET), AGENT_CLIS);
  } catch (error) {
    if (isOffline(error.message)) throw new AgentClisUnavailable(error.message, { cause: error });
    throw error;
  }
}

/** Whether npm failed because the registry, or a package in it, was unavailable, judged by its output. */
export function isOffline(output) {
  return /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E404|E429|E50\d)\b/.test(
    output,
  );
}

/** A hash over names and contents of files and folders; a missing one counts as empty. */
export function contentHash(root, paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
      return;
    }
    const bytes = readFileSync(full);
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  };
  for (const path of paths) add(path);
  return hash.digest('hex');
}

/** True if npm's record of what it installed (`installed`) has every package that the lock file requires. */
export function satisfiesLock(lock, installed) {
  const have = installed?.packages ?? {};
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && !entry.optional)
    .every(([path, entry]) => have[path]?.version === entry.version);
}

export class SetupError extends Error {}

export class AgentClisUnavailable extends SetupError {}

// The cache is enough if the registry is unavailable; npm's own retries of several minutes would look like a hang.
const FEW_RETRIES = ['--prefer-offline', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Ignores which Node installed them, because every native package here works with all versions (Node-API). */
function isInstalled() {
  if (read(INSTALL_STAMP) === lockHash(ROOT)) return true;
  // Somebody ran `npm install` by hand: accept it instead of installing everything again.
  const record = read(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!record || !satisfiesLock(JSON.parse(lockText(ROOT)), JSON.parse(record))) return false;
  writeFileSync(INSTALL_STAMP, lockHash(ROOT));
  return true;
}

const hasAgentClis = () => read(AGENT_CLIS_STAMP) === lockHash(AGENT_CLIS) && missingAgentClis().length === 0;

const lockText = (folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
const lockHash = (folder) => createHash('sha256').update(lockText(folder)).digest('hex');

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The npm that runs us, else the one on the PATH. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  if (cli && /npm-cli\.c?js$/.test(cli)) return [process.execPath, [cli, ...args]];
  return ['npm', args];
}

async function step(title, work) {
  process.stderr.write(`${title} …\n`);
  const start = Date.now();
  try {
    await work();
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`${title} failed:\n${error.message}`, { cause: error });
  }
  process.stderr.write(`${title}: done in ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
}

/** Runs `main` of a script: it returns the exit code; a SetupError is printed without a stack. */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    await ensureInstalled();
    await ensureBuilt();
    console.error('Fermata is installed and built.');
  });
}
