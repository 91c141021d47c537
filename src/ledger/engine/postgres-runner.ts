import type { Compilable } from 'kysely';
import type { QueryResult } from 'pg';
import { statementBuilder, storable } from './builder.ts';
import type { SqlRunner } from './store.ts';
import { storeError } from './store-error.ts';

const builder = statementBuilder('postgres');

export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** Runs statements in PostgreSQL's own format, sent by `send`. */
export function postgresRunner(
  send: (statement: Statement) => Promise<QueryResult>,
  place: string,
): SqlRunner {
  const execute = async (statement: Statement) => {
    try {
      return await send({ ...statement, values: statement.values.map(storable) });
    } catch (error) {
      throw storeError(error, place);
    }
  };
  return {
    dialect: 'postgres',
    db: builder,
    async run<Row>(query: Compilable<Row>): Promise<Row[]> {
      const { sql, parameters } = query.compile();
      return (await execute({ text: sql, values: [...parameters] })).rows;
    },
    async sql<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
      return (await execute({ ...prepared(text), values })).rows;
    },
    async changes(text: string, ...values: unknown[]) {
      return (await execute({ ...prepared(text), values })).rowCount ?? 0;
    },
  };
}

const preparedTexts = new Map<string, { name: string; text: string }>();

/** `?` becomes `$1`, `$2`, …, and the statement gets a name, so that the server parses it once per connection. */
function prepared(text: string): { name: string; text: string } {
  let known = preparedTexts.get(text);
  if (!known) {
    let n = 0;
    known = { name: `fermata_${preparedTexts.size}`, text: text.replace(/\?/g, () => `$${++n}`) };
    preparedTexts.set(text, known);
  }
  return known;
}
