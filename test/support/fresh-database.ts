import { inject } from 'vitest';
import { createDatabase } from './postgres.ts';

const postgres = inject('postgres');

/** Why nothing can be tested on PostgreSQL here, if so: `it.skipIf(postgresMissing)`, after a test that says it. */
export const postgresMissing = 'missing' in postgres ? postgres.missing : undefined;

/** A new, empty database on the tests' PostgreSQL. */
export async function freshDatabase(): Promise<string> {
  if ('missing' in postgres) throw new Error(postgres.missing);
  return createDatabase(postgres.url);
}
