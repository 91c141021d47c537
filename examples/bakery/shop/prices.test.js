import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prices } from './prices.js';

test('every price is a number', () => {
  for (const price of Object.values(prices)) assert.equal(typeof price, 'number');
});
