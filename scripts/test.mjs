// `npm test`: sets up, runs every check and every test, and closes with one line of figures.
// Arguments go to vitest as filters; then only those tests run. `--long` runs test/long too, and the whole of what
// other tests do in part.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_CLIS } from './agent-clis.mjs';
import { lockProblems, uncheckedPlatformPackages } from './lockfile.mjs';
import { AgentClisUnavailable, ensureAgentClis, ensureBuilt, ensureInstalled, SetupError } from './setup.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv[2] === '--long';
const filters = process.argv.slice(long ? 3 : 2);
const all = filters.length === 0;
const env = { ...process.env, FERMATA_LONG: long ? '1' : '' };

process.exitCode = await main();

async function main() {
  const installed = setUp('install', ensureInstalled);
  const clis = setUp('agent CLIs', agentClis);
  if ((await installed).length > 0) return close((await Promise.all([installed, clis])).flat());
  const built = setUp('build', ensureBuilt);
  // After a failed build, the other checks and tests are still worth running.
  const checked = all && !long ? built.then(checks) : [];
  const tested = built.then(() => tests(clis));
  return close((await Promise.all([clis, built, checked, tested])).flat());
}

/** If they are unavailable, each of their tests is skipped and says so; that must not count as a success. */
async function agentClis() {
  try {
    await ensureAgentClis();
  } catch (error) {
    if (!(error instanceof AgentClisUnavailable)) throw error;
    console.error(`\nNOT TESTED: the real agent CLIs. ${error.message}\n`);
  }
}

/** Counted only if it fails. */
async function setUp(name, work) {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    return [{ name, state: 'failed' }];
  }
}

async function checks() {
  const steps = [
    // Several threads check shared types once each, which costs the tests beside them twice the processor time.
    ['types', () => tool('tsc', '-p', '.', '--singleThreaded')],
    ['types web', () => tool('tsc', '-p', 'web', '--singleThreaded')],
    ['lint', () => tool('biome', 'check')],
    ['knip', () => tool('knip')],
    ['publint', () => tool('publint')],
    ['lock files', async () => [ROOT, AGENT_CLIS].flatMap(problemsOfLock).join('\n')],
  ];
  const results = await Promise.all(steps.map(([name, work]) => check(name, work)));
  tellUnchecked();
  return results;
}

function lockIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
}

function problemsOfLock(folder) {
  return lockProblems(lockIn(folder));
}

function tellUnchecked() {
  const names = uncheckedPlatformPackages(lockIn(ROOT));
  if (names.length === 0) return;
  console.log(
    `NOTE: ${names.length} packages of other platforms have no checksum in package-lock.json, because the registry it was written with does not serve them: ${names.join(', ')}`,
  );
}

/** `work` resolves to what is wrong, or throws it; undefined means that it passed. */
async function check(name, work) {
  const start = Date.now();
  const problem = await Promise.resolve().then(work).catch(String);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${name.padEnd(10)} ${problem ? 'FAILED' : 'ok'}  ${seconds} s`);
  if (problem) console.log(problem);
  return { name, state: problem ? 'failed' : 'passed' };
}

async function tool(name, ...args) {
  const { code, output } = await run(name, args, ['ignore', 'pipe', 'pipe']);
  return code === 0 ? '' : output.trimEnd() || `${name} ended with ${code}`;
}

/** Tests of the agent CLIs wait until they are installed: see test/agents/clis/installed.ts. */
async function tests(clis) {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  const tally = join(dir, 'tests.json');
  try {
    env.FERMATA_TALLY = tally;
    env.FERMATA_CLIS_PENDING = join(dir, 'clis-pending');
    writeFileSync(env.FERMATA_CLIS_PENDING, '');
    void clis.then(() => rmSync(env.FERMATA_CLIS_PENDING, { force: true }));
    const { code } = await run('vitest', ['run', ...filters], 'inherit');
    const results = existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : [];
    const toldFailure = results.some((result) => result.state === 'failed');
    if (code !== 0 && !toldFailure) results.push({ name: `vitest ended with ${code}`, state: 'failed' });
    if (results.every((result) => result.state === 'skipped'))
      results.push({ name: 'no test ran', state: 'failed' });
    if (all) keep(results);
    return results;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** For `npm run coverage:spec`. */
function keep(results) {
  mkdirSync(join(ROOT, 'coverage'), { recursive: true });
  const list = results.map(({ name, state }) => ({ name, state }));
  writeFileSync(
    join(ROOT, 'coverage', long ? 'tests-long.json' : 'tests.json'),
    `${JSON.stringify(list, null, 1)}\n`,
  );
}

function close(results) {
  const skipped = results.filter((result) => result.state === 'skipped');
  for (const { name, note = 'no reason given' } of skipped)
    console.log(`SKIPPED: ${name}\n         because: ${note}`);
  const failed = results.filter((result) => result.state === 'failed');
  for (const { name } of failed) console.log(`FAILED: ${name}`);
  const passed = results.length - failed.length - skipped.length;
  const rest = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`${passed} passed, ${failed.length} failed${rest}`);
  return failed.length > 0 ? 1 : 0;
}

function run(name, args, stdio) {
  return new Promise((resolve, reject) => {
    const bin = join(ROOT, 'node_modules', '.bin', name);
    const child = spawn(bin, args, { cwd: ROOT, env, stdio });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}
