/** Whether this is `npm run test:long`, where matrices are run in full. */
export const isLong = process.env.FERMATA_LONG === '1';

/** All rows of a table in `npm run test:long`; in `npm test` the first and the last. */
export function spread<T>(rows: readonly T[]): T[] {
  return rows.filter((_, at) => isLong || at === 0 || at === rows.length - 1);
}

/** How many generated cases a property is tried with: a quarter of them in `npm test`. */
export function cases(all: number): number {
  return isLong ? all : Math.ceil(all / 4);
}
