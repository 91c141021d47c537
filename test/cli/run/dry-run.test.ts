import { expect, test } from 'vitest';
import { roundsOf } from '../../../src/cli/run/dry-run.ts';

const none = new Set<string>();

test('RUN-2 a phase is in the round after its last dependency; a cycle and what depends on it is in none', () => {
  const waitsFor = { d: ['b', 'c'], c: ['a'], b: [], a: [], x: ['y'], y: ['x'], z: ['x', 'a'] };
  expect(Object.fromEntries(roundsOf(new Map(Object.entries(waitsFor)), none))).toEqual({
    a: 1,
    b: 1,
    c: 2,
    d: 3,
  });
});

test('RUN-2 finished phases are in no round', () => {
  const waitsFor = new Map([
    ['a', []],
    ['b', ['a']],
  ]);
  expect(Object.fromEntries(roundsOf(waitsFor, new Set(['a'])))).toEqual({ a: 0, b: 1 });
});

test('RUN-2 a long chain in reverse order takes no longer than any other', () => {
  const length = 50_000;
  const waitsFor = new Map(
    Array.from({ length }, (_, index) => [String(index), index === length - 1 ? [] : [String(index + 1)]]),
  );
  expect(roundsOf(waitsFor, none).get('0')).toBe(length);
});
