import { expect, it } from 'vitest';
import { allRows } from '../../src/ledger/engine/stored.ts';

it.each([0, 1, 999, 1000, 1001, 2000, 2500])(
  'a list of %i rows is read whole, page by page',
  async (count) => {
    const rows = Array.from({ length: count }, (_, id) => ({ id }));
    const found = await allRows<{ id: number }>(async (limit, last) => {
      const start = last ? last.id + 1 : 0;
      return rows.slice(start, start + limit);
    });
    expect(found).toEqual(rows);
  },
);
