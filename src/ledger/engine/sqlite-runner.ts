import type { DatabaseSync } from '@photostructure/sqlite';
import type { Compilable } from 'kysely';
import { statementBuilder, storable } from './builder.ts';
import type { SqlRunner } from './store.ts';
import { storeError } from './store-error.ts';

export type Connection = InstanceType<typeof DatabaseSync>;

const builder = statementBuilder('sqlite');

/** One per connection, because it keeps prepared statements. */
export function sqliteRunner(connection: Connection, path: string): SqlRunner & { forget(): void } {
  const statements = new Map<string, ReturnType<typeof prepare>>();
  const execute = <Result>(
    text: string,
    parameters: readonly unknown[],
    how: (statement: ReturnType<typeof prepare>, values: Value[]) => Result,
  ) => {
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
    db: builder,
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
