import pg from 'pg';
import { expect, it } from 'vitest';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

it('a real PostgreSQL serves the tests, with fsync on, each in its own database', async ({ skip }) => {
  if (postgresMissing) skip(postgresMissing);
  const [one, two] = [await freshDatabase(), await freshDatabase()];
  expect(one).not.toBe(two);
  expect(await ask(one, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  expect(await ask(one, 'SHOW server_version_num')).not.toEqual([]);
});

it('PostgreSQL refuses everyone without the password', async ({ skip }) => {
  if (postgresMissing) skip(postgresMissing);
  const url = new URL(await freshDatabase());
  url.password = 'wrong';
  await expect(ask(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
