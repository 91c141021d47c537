import { expect, it } from 'vitest';
import { distinct } from '../../../src/ledger/forms/ask-user-question.ts';

it('LED-2 texts that are repeated get a number, which is none that another has already', () => {
  expect(distinct(['a', 'b', 'a', 'a'])).toEqual(['a', 'b', 'a (2)', 'a (3)']);
  expect(distinct(['a', 'a', 'a (2)'])).toEqual(['a', 'a (3)', 'a (2)']);
});
