import { test } from 'vitest';
import { crowd } from '../crash/support/two-runs.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

const kills = { kills: 12, everyMs: 5000 };

test('RUN-4 two runs on SQLite, one killed every five seconds, finish sixty phases', async () => {
  await crowd({ phases: 60, store: undefined, ...kills });
});

test('RUN-4 two runs on PostgreSQL, one killed every five seconds, finish sixty phases', async ({ skip }) => {
  if (postgresMissing !== undefined) skip(postgresMissing);
  await crowd({ phases: 60, store: await freshDatabase(), ...kills });
});
