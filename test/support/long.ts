/** Whether this is `npm run test:long`, where matrices are run in full. */
export const isLong = process.env.FERMATA_LONG === '1';

/** All rows of a table in `npm run test:long`; in `npm test` the first, the last and every fourth between them. */
export function spread<T>(rows: readonly T[]): T[] {
  return rows.filter((_, at) => isLong || at % 4 === 0 || at === rows.length - 1);
}
