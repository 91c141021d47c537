import { test } from 'vitest';
import { crowd } from '../crash/support/two-runs.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

const kills = { kills: 12, everyMs: 5000 };

test('RUN-4 sixty phases, two runs on SQLite, one of them killed every five seconds', async () => {
  await crowd({ phases: 60, store: undefined, ...kills });
});

test('RUN-4 sixty phases, two runs on PostgreSQL, one of them killed every five seconds', async ({
  skip,
}) => {
  if (postgresMissing !== undefined) skip(postgresMissing);
  await crowd({ phases: 60, store: await freshDatabase(), ...kills });
});
