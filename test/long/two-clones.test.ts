import { test } from 'vitest';
import { runInTwoClones } from '../cli/run/support/two-clones.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

test('TEAM-1 two clones in two homes on one PostgreSQL run six phases at once, with gates that need the commits of the other', async ({
  skip,
}) => {
  if (postgresMissing !== undefined) skip(postgresMissing);
  await runInTwoClones(await freshDatabase(), [[], [], ['1'], ['2'], ['3', '4'], ['5']]);
}, 900_000);
