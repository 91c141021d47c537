import { FermataError } from '../../schema/error.ts';
import { firstTables } from './first-tables.ts';
import { schemaChanges } from './schema-changes.ts';
import type { Dialect } from './store.ts';

/** Forward only, in order. */
const migrations = [firstTables, ...schemaChanges];

export const schemaVersion = migrations.length;

export function refuseNewer(version: number, place: string): void {
  if (version <= schemaVersion) return;
  throw new FermataError(
    'newer_schema',
    `The ledger at ${place} has version ${version}; this Fermata supports versions up to ${schemaVersion}. Nothing was changed. Install the newest version of Fermata and try again.`,
  );
}

/** The statements that migrate a store from `version` to the current one. */
export function migrationsAfter(version: number, dialect: Dialect): string[] {
  return migrations.slice(version).flatMap((migration) => migration(dialect));
}
