import { FermataError } from '../../schema/error.ts';
import { schema } from './schema.ts';
import type { Dialect } from './store.ts';

/** Version 1 and what each later version changed, in order. Never change one that was released. */
const migrations: ((dialect: Dialect) => string[])[] = [schema];

export const schemaVersion = migrations.length;

/** Refuses a store of a newer version, and one that was made before version 1 or by another program. */
export function supported(version: number, isOurs: boolean, place: string): number {
  if (version !== 0 && !isOurs)
    throw new FermataError(
      'invalid',
      `The ledger at ${place} is from before Fermata 0.1, or from another program. Nothing was changed. Choose another place with --store or FERMATA_STORE.`,
    );
  if (version > schemaVersion)
    throw new FermataError(
      'newer_schema',
      `The ledger at ${place} has version ${version}; this Fermata supports versions up to ${schemaVersion}. Nothing was changed. Install the newest version of Fermata and try again.`,
    );
  return version;
}

/** The statements that migrate a store from `version` to the current one. */
export function migrationsAfter(version: number, dialect: Dialect): string[] {
  return migrations.slice(version).flatMap((migration) => migration(dialect));
}
