import { test } from 'vitest';
import { freshDatabase, postgresMissing } from '../../support/fresh-database.ts';
import { runInTwoClones } from './support/two-clones.ts';

test('TEAM-1 two clones in two homes on one PostgreSQL run a plan at once: each phase is merged once, with equal commits everywhere', async ({
  skip,
}) => {
  if (postgresMissing !== undefined) skip(postgresMissing);
  await runInTwoClones(await freshDatabase(), [[], [], ['1', '2']]);
}, 300_000);
