import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/csv.js';
import { order, usual } from '../src/csv-format.js';

test('separators and quotes survive', () => {
  assert.equal(toCsv([{ title: 'A, "B"', year: 1 }], ','), 'title,year\n"A, ""B""",1');
  assert.equal(toCsv([{ title: `A${usual}B` }]), `title\n"A${usual}B"`);
});

test('lines have their order', () => {
  const csv = toCsv(
    [
      { title: 'B', year: 1 },
      { title: 'A', year: 2 },
    ],
    ',',
  );
  assert.equal(csv, order === 'year' ? 'title,year\nB,1\nA,2' : 'title,year\nA,2\nB,1');
});
