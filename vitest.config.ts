import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { dataFiles } from './scripts/data-files.mjs';
import { SlowFirst } from './test/support/slow-first.ts';

const long = process.env.FERMATA_LONG === '1';

// Costs Node 20 about 50 ms per process, and no test speaks TLS to the world.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  plugins: [dataFiles()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(long ? [] : ['test/long/**'])],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/each-file.ts',
    reporters: [['default', { summary: false }], './test/support/tally-reporter.ts'],
    silent: 'passed-only',
    pool: 'forks',
    // Loading everything for each file took a fifth of the time.
    isolate: false,
    // A file or a suite may have only tests of test:long. scripts/test.mjs fails if no test ran at all.
    passWithNoTests: true,
    // Many tests wait for a process or a clock: more workers than cores keep the cores busy. Each loads everything.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: SlowFirst },
    // Five times the usual load must not fail a test.
    testTimeout: long ? 600_000 : 120_000,
    hookTimeout: 120_000,
    // What is looked at again and again until it is so: a machine that is busy needs longer than the usual second.
    expect: { poll: { timeout: 90_000 } },
  },
});
