import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFindsAll } from '../src/empty-query.js';
import { search } from '../src/search.js';

const entries = [{ title: 'The Left Hand of Darkness' }, { title: 'Dune' }];

test('finds titles by words in any case and order', () => {
  assert.deepEqual(search(entries, 'darkness  left'), [entries[0]]);
  assert.deepEqual(search(entries, 'moon'), []);
});

test('an empty query finds what was decided', () => {
  assert.deepEqual(search(entries, ' '), emptyFindsAll ? entries : []);
});
