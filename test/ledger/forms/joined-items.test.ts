import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinItems, splitItems } from '../../../src/ledger/forms/joined-items.ts';
import { words } from './arbitrary-questions.ts';

it('LED-2: several values joined into one text are the same values when it is split', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1 }), (items) => {
      expect(splitItems(joinItems(items))).toEqual(items);
    }),
    { numRuns: 200 },
  );
});

it('LED-2: a value is quoted only if it has a comma and a blank, or a quotation mark', () => {
  expect(joinItems(['Logging', 'a,b', 'Rust, or C', 'the "best"'])).toBe(
    'Logging, a,b, "Rust, or C", "the \\"best\\""',
  );
});

it.each([
  ['', []],
  [', , ', []],
  ['"unfinished, x', ['"unfinished', 'x']],
  ['"quoted" word, x', ['"quoted" word', 'x']],
  ['"bad \\q escape", x', ['"bad \\q escape"', 'x']],
])('LED-2: text from other programs is split as far as possible: %j', (text, items) => {
  expect(splitItems(text)).toEqual(items);
});
