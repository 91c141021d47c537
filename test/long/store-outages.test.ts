import { describe, it } from 'vitest';
import { surviveOutage } from '../cli/support/outage-scenario.ts';
import { workerSurvivesOutage } from '../cli/support/worker-outage.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { ownPostgres } from '../support/own-postgres.ts';

if (postgresMissing) it('PostgreSQL is not tested here', ({ skip }) => skip(postgresMissing));

describe.skipIf(postgresMissing)(
  'OPS-6 everything lives through an outage of PostgreSQL',
  { timeout: 400_000 },
  () => {
    const postgres = ownPostgres();
    const matrix = (['stop', 'freeze', 'kill'] as const).flatMap((how) =>
      [1, 10, 60].map((seconds) => ({ how, seconds })),
    );

    it.each(matrix)('$how for $seconds s', ({ how, seconds }) =>
      surviveOutage(postgres, { how, ms: seconds * 1000 }),
    );

    it.each(matrix)('TEAM-2 a worker: $how for $seconds s', ({ how, seconds }) =>
      workerSurvivesOutage(postgres, { how, ms: seconds * 1000 }),
    );
  },
);
