import { inject } from 'vitest';
import { createDatabase } from './postgres.ts';

const postgres = inject('postgres');

/** Why PostgreSQL cannot be tested here, if so: `it.skipIf(postgresMissing)`, after a test that reports it. */
export const postgresMissing = 'missing' in postgres ? postgres.missing : undefined;

/** A new, empty database on the tests' PostgreSQL. */
export async function freshDatabase(): Promise<string> {
  if ('missing' in postgres) throw new Error(postgres.missing);
  return createDatabase(postgres.url);
}
