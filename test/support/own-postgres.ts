import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { type Outage, type RunningPostgres, startPostgres } from './postgres.ts';

/** This test file's own PostgreSQL, which can be taken away from its users. */
export function ownPostgres() {
  let server: RunningPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());
  return {
    halt: (how: Outage) => server.halt(how),
    bringBack: () => server.bringBack(),
    createDatabase: () => server.createDatabase(),
    /** A ledger in a new database, with a project, that waits for its server; and what it has reported about that. */
    async ledger(
      waitMs = 60_000,
    ): Promise<{ ledger: Ledger; place: string; project: string; told: string[] }> {
      const place = await server.createDatabase();
      const told: string[] = [];
      const ledger = await openLedger(place, {}, { ms: waitMs, tell: (sentence) => told.push(sentence) });
      onTestFinished(() => ledger.close());
      const { id: project } = await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
      return { ledger, place, project, told };
    },
  };
}
