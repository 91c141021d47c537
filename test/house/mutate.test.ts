import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composites, filesWithComposites } from '../../scripts/mutate/transactions.mjs';

test.each(filesWithComposites)('npm run mutate finds the transactions that it removes in %s', (file) => {
  expect(composites(file, readFileSync(file, 'utf8'))).not.toEqual([]);
});
