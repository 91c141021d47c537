import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COPIED = [
  'src',
  'test/ledger',
  'test/fuzz',
  'test/support',
  'docs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const LINKED = ['node_modules', 'dist', 'bin', 'scripts', 'bench'];
/** The result of tests that did not finish; a change that makes tests hang counts as noticed. */
export const TIMEOUT = 'no end within the time limit';

/** A copy of the tree in which files may be changed and tests run, with its own PostgreSQL. */
export function makeWorkplace(root, postgres) {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-mutate-'));
  for (const name of COPIED)
    if (existsSync(join(root, name))) cpSync(join(root, name), join(dir, name), { recursive: true });
  for (const name of LINKED) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(dir, name));
  writeFileSync(join(dir, 'mutate.config.ts'), config);
  return {
    dir,
    write: (file, text) => writeFileSync(join(dir, file), text),
    read: (file) => readFileSync(join(dir, file), 'utf8'),
    /** Runs these test files, in this order; resolves to the tests that failed. */
    test: (files, options) => runTests(dir, postgres, files, options),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** The tests' own configuration, but with one file after another in our order, and shorter timeouts. */
const config = `
import base from './vitest.config.ts';
import { BaseSequencer } from 'vitest/node';

const order = JSON.parse(process.env.MUTATE_FILES ?? '[]');
const place = (spec) => order.findIndex((file) => spec.moduleId.endsWith(file));

export default {
  test: {
    ...base.test,
    include: order,
    fileParallelism: false,
    maxWorkers: 1,
    testTimeout: 8000,
    hookTimeout: 15000,
    reporters: ['./test/support/tally-reporter.ts'],
    setupFiles: process.env.MUTATE_COVER ? ['./cover.ts'] : [],
    sequence: {
      sequencer: class extends BaseSequencer {
        async sort(files) {
          return files.sort((a, b) => place(a) - place(b));
        }
      },
    },
  },
};
`;

async function runTests(dir, postgres, files, { bail = 1, seconds = 120, env = {} } = {}) {
  const tally = join(dir, 'tally.json');
  rmSync(tally, { force: true });
  const child = spawn(
    join(dir, 'node_modules/.bin/vitest'),
    ['run', '--config', 'mutate.config.ts', '--bail', String(bail)],
    {
      cwd: dir,
      env: {
        ...process.env,
        NODE_EXTRA_CA_CERTS: undefined,
        FERMATA_TEST_POSTGRES: postgres,
        FERMATA_TALLY: tally,
        MUTATE_FILES: JSON.stringify(files),
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true, // a separate process group, so that the time limit also ends its children
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-4000);
  });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), seconds * 1000);
  const signal = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_, by) => resolve(by));
  });
  clearTimeout(timer);
  if (signal === 'SIGKILL') return { failed: [TIMEOUT] };
  if (!existsSync(tally)) return { failed: [`vitest did not run: ${stderr.trim().split('\n').at(-1)}`] };
  const results = JSON.parse(readFileSync(tally, 'utf8'));
  return { failed: results.filter(({ state }) => state === 'failed').map(({ name }) => name), results };
}
