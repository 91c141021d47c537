import { test } from 'vitest';
import { likeMacOs } from '../support/platforms/preloads.ts';
import { runSuites } from '../support/platforms/run-suites.ts';

/** The tests of agents, runs and leases that end processes or look at them. `npm run test:long` runs all the others. */
const SUITES = [
  'test/agents/process/',
  'test/agents/run/conduct.test.ts',
  'test/agents/command/driver.test.ts',
  'test/agents/claude/ends.test.ts',
  'test/agents/claude/parking.test.ts',
  'test/agents/claude/resume.test.ts',
  'test/cli/run/interrupted.test.ts',
  'test/ledger/claims.test.ts',
];

test('the tests of agents and runs that end processes pass where groups of zombies answer EPERM and there is no /proc', {
  timeout: 600_000,
}, async () => {
  await runSuites(SUITES, likeMacOs);
});
