import { test } from 'vitest';
import { crowd } from './support/two-runs.ts';

test('RUN-2 RUN-4 two runs share a plan; when one is killed, the other finishes, and each phase is done once', async () => {
  await crowd({ phases: 8, store: undefined, kills: 2, everyMs: 3000 });
}, 300_000);
