import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/csv.js';
import { usual } from '../src/separator.js';

test('separators and quotes survive', () => {
  assert.equal(toCsv([{ title: 'A, "B"', year: 1 }], ','), 'title,year\n"A, ""B""",1');
  assert.equal(toCsv([{ title: `A${usual}B` }]), `title\n"A${usual}B"`);
});
