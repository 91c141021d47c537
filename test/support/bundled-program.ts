import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reachableRoot } from './reachable-root.ts';

export interface Program {
  /** The file to run with Node. */
  file: string;
  /** Runs it to its end once, so that later starts reuse the code that V8 compiled. */
  rehearse(...args: string[]): Promise<void>;
  remove(): void;
}

/** Bundles a small program over the ledger once, so that starting it a thousand times costs little. */
export async function bundleProgram(input: string): Promise<Program> {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-program-'));
  // The bundle is outside this package, where Node would not find it by name.
  const sqlite = createRequire(join(reachableRoot(), 'package.json')).resolve('@photostructure/sqlite');
  // In its own process: the bundler takes 200 MB and keeps them, and starting any process takes longer the more this one has.
  // With one thread, because more of them mostly wait for each other on so little, which takes twice the processor time.
  const env = { ...process.env, RAYON_NUM_THREADS: '1' };
  await promisify(execFile)(process.execPath, [BUNDLER, input, join(dir, 'program.cjs'), sqlite], { env });
  const file = join(dir, 'start.cjs');
  writeFileSync(file, launcher);
  return {
    file,
    rehearse: async (...args) => {
      await promisify(execFile)(process.execPath, [file, ...args], {
        env: { ...process.env, KEEP_CODE: '1' },
      });
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
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
