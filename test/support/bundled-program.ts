import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Program {
  /** The file to run with Node. */
  file: string;
  /** Runs it to its end once, so that later starts reuse the code that V8 compiled. */
  rehearse(...args: string[]): Promise<void>;
}

/**
 * Bundles a small program over the ledger, so that starting it a thousand times costs little. Bundling takes a second of
 * CPU time, so only the first test file that needs the program does it; it is removed after all tests.
 */
export async function bundledProgram(input: string): Promise<Program> {
  const all = process.env.FERMATA_TEST_PROGRAMS;
  if (!all) throw new Error('FERMATA_TEST_PROGRAMS is not set: see global-setup.ts.');
  const dir = join(all, createHash('sha256').update(input).digest('hex').slice(0, 16));
  const done = join(dir, 'done');
  const failed = join(dir, 'failed');
  if (mkdirSync(dir, { recursive: true }) !== undefined) {
    try {
      await bundle(input, dir);
      writeFileSync(done, '');
    } catch (error) {
      writeFileSync(failed, String(error));
      throw error;
    }
  }
  while (!existsSync(done)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    await sleep(50);
  }
  return programIn(dir);
}

async function bundle(input: string, dir: string): Promise<void> {
  // In its own process: the bundler takes 200 MB and keeps them, and starting any process takes longer the more this one has.
  // With one thread, because more of them mostly wait for each other on so little, which takes twice the processor time.
  const env = { ...process.env, RAYON_NUM_THREADS: '1' };
  await promisify(execFile)(process.execPath, [BUNDLER, input, join(dir, 'program.cjs')], { env });
  writeFileSync(join(dir, 'start.cjs'), launcher);
}

function programIn(dir: string): Program {
  const file = join(dir, 'start.cjs');
  return {
    file,
    rehearse: async (...args) => {
      await promisify(execFile)(process.execPath, [file, ...args], {
        env: { ...process.env, KEEP_CODE: '1' },
      });
    },
  };
}

const BUNDLER = join(import.meta.dirname, 'bundle.mjs');

const launcher = `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const file = __dirname + '/program.cjs';
const cache = file + '.v8';
const code = '(function (require, __filename, __dirname) {' + readFileSync(file, 'utf8') + '\\n})';
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const script = new (require('node:vm').Script)(code, { filename: file, cachedData });
// The first process that exits normally saves the compiled code, unless another account owns the folder.
if (process.env.KEEP_CODE || !cachedData) process.on('exit', () => {
  const draft = cache + '.' + process.pid;
  try {
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, cache);
  } catch (error) {
    if (error.code !== 'EACCES') throw error;
  }
});
script.runInThisContext()(require, file, __dirname);
`;
