import { expect, it } from 'vitest';
import { distinct } from '../../../src/ledger/forms/ask-user-question.ts';

it('LED-2 repeated texts get a number that no other text has', () => {
  expect(distinct(['a', 'b', 'a', 'a'])).toEqual(['a', 'b', 'a (2)', 'a (3)']);
  expect(distinct(['a', 'a', 'a (2)'])).toEqual(['a', 'a (3)', 'a (2)']);
});
