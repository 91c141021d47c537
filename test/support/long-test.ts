import { test } from 'vitest';
import { isLong } from './long.ts';

/** A test of `npm run test:long` only. */
export const longTest = isLong ? test : absent();

function absent(): typeof test {
  const none = () => undefined;
  return Object.assign(none, {
    each: () => none,
    for: () => none,
    skipIf: () => none,
  }) as unknown as typeof test;
}
