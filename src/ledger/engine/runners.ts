import type { DatabaseSync } from '@photostructure/sqlite';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { QueryResult } from 'pg';
import type { Dialect, SqlRunner } from './store.ts';
import { storeError } from './store-error.ts';
import type { Tables } from './tables.ts';

export type Connection = InstanceType<typeof DatabaseSync>;

/** One per connection, because it keeps prepared statements. `check` may refuse each statement. */
export function sqliteRunner(
  connection: Connection,
  path: string,
  check: () => void = () => undefined,
): SqlRunner & { forget(): void } {
  const statements = new Map<string, ReturnType<typeof prepare>>();
  const execute = <Result>(
    text: string,
    parameters: readonly unknown[],
    how: (statement: ReturnType<typeof prepare>, values: Value[]) => Result,
  ) => {
    check();
    try {
      let statement = statements.get(text);
      if (!statement) {
        statement = prepare(connection, text);
        if (statements.size > 500) statements.clear();
        statements.set(text, statement);
      }
      return how(statement, parameters.map(storable) as Value[]);
    } catch (error) {
      throw storeError(error, path);
    }
  };
  return {
    dialect: 'sqlite',
    db: builderOf('sqlite'),
    async run<Row>(query: Compilable<Row>) {
      const { sql, parameters } = query.compile();
      return execute(sql, parameters, rowsOf) as Row[];
    },
    async sql<Row>(text: string, ...parameters: unknown[]) {
      return execute(text, parameters, rowsOf) as Row[];
    },
    async changes(text: string, ...parameters: unknown[]) {
      return execute(text, parameters, ({ statement }, values) => Number(statement.run(...values).changes));
    },
    forget: () => statements.clear(),
  };
}

type Value = string | number | null;

/** The driver builds arrays a third faster than objects. */
function prepare(connection: Connection, text: string) {
  const statement = connection.prepare(text);
  statement.setReturnArrays(true);
  return { statement, columns: statement.columns().map(({ name }) => name) };
}

function rowsOf({ statement, columns }: ReturnType<typeof prepare>, values: Value[]) {
  return (statement.all(...values) as unknown as unknown[][]).map((fields) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      row[column] = fields[index];
    });
    return row;
  });
}

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
    db: builderOf('postgres'),
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

const builders = new Map<Dialect, Kysely<Tables>>();

function builderOf(dialect: Dialect): Kysely<Tables> {
  const builder = builders.get(dialect) ?? statementBuilder(dialect);
  builders.set(dialect, builder);
  return builder;
}

/** A Kysely that only builds typed statements; we run them in our own transactions. */
function statementBuilder(dialect: Dialect): Kysely<Tables> {
  const sqlite = dialect === 'sqlite';
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => (sqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (sqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  });
}

/** Removes the character NUL, which PostgreSQL cannot store in a text; both stores keep the same. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
