import { test } from 'vitest';
import { isLong } from './long.ts';

/** A test of `npm run test:long` only. Its file is imported in test/long; test/house/long.test.ts checks that. */
export const longTest = isLong ? test : absent();

function absent(): typeof test {
  const none = () => undefined;
  return Object.assign(none, { each: () => none, for: () => none }) as unknown as typeof test;
}
