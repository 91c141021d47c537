/** Transactions removed as a whole: these need several edits at once, so they cannot be found node by node. */
const wanted = {
  'src/ledger/engine/sqlite.ts': [
    {
      what: 'no transaction: every statement commits by itself',
      changes: [
        [
          "await untilFree(() => connection.exec('begin immediate'));\n  } catch (error) {\n    throw storeError",
          '} catch (error) {\n    throw storeError',
        ],
        ['{\n      connection.exec(statement);', '{'],
      ],
    },
    {
      what: 'begin immediate → begin: two may read before one writes',
      changes: [
        [
          "await untilFree(() => connection.exec('begin immediate'));\n  } catch (error) {\n    throw storeError",
          "await untilFree(() => connection.exec('begin'));\n  } catch (error) {\n    throw storeError",
        ],
      ],
    },
    {
      kind: 'migration',
      what: 'migrations without a transaction',
      changes: [
        ["await untilFree(() => connection.exec('begin immediate'));\n  try {", 'try {'],
        ["connection.exec('commit');", ';'],
      ],
    },
  ],
  'src/ledger/engine/postgres-transaction.ts': [
    {
      what: 'no transaction: every statement commits by itself',
      changes: [["client.query('begin'),", "client.query('select 1'),"]],
    },
  ],
  'src/ledger/engine/postgres.ts': [
    {
      kind: 'migration',
      what: 'no advisory lock: two may migrate at once',
      changes: [["await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);", ';']],
    },
  ],
};

export const filesWithComposites = Object.keys(wanted);

/** @returns {{ kind: string, what: string, at: number, edits: { start: number, end: number, text: string }[] }[]} */
export function composites(file, source) {
  return (wanted[file] ?? []).map(({ kind = 'transaction', what, changes }) => {
    const edits = changes.map(([before, after]) => {
      const start = source.indexOf(before);
      if (start < 0 || source.indexOf(before, start + 1) >= 0) {
        throw new Error(
          `scripts/mutate/transactions.mjs is out of date: ${file} does not have once: ${before}`,
        );
      }
      return { start, end: start + before.length, text: after };
    });
    return { kind, what, at: edits[0].start, edits };
  });
}
