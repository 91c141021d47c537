import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { cmd, keepGiven, quoted } from '../../src/schema/command-line.ts';

afterEach(() => keepGiven({}));

test('CLI-ask a command in a message repeats the store and project of this process, after its name', () => {
  keepGiven({ store: 'a b.db', project: 'shop' });
  const options = "--store 'a b.db' --project shop";
  expect(cmd`answer ${'n-1'} VALUE`).toBe(`fermata answer ${options} n-1 VALUE`);
  expect(cmd`plan show ${'plans/x'}`).toBe(`fermata plan show ${options} plans/x`);
  expect(cmd`tasks`).toBe(`fermata tasks ${options}`);
  expect(cmd`decisions --write`).toBe(`fermata decisions ${options} --write`);
  keepGiven({});
  expect(cmd`run --resume`).toBe('fermata run --resume');
});

test('CLI-ask a value in a command stays one shell word', () => {
  expect(cmd`run --resume ${'my plans/$(x)'}`).toBe("fermata run --resume 'my plans/$(x)'");
  expect(cmd`review ${['2', 'A']}`).toBe('fermata review 2 A');
  expect(cmd`answer ${[]}`).toBe('fermata answer');
});

test.each([
  ['plans/shop', 'plans/shop'],
  ['', "''"],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['$(touch x); `y` "z" \\', `'$(touch x); \`y\` "z" \\'`],
  ['~/a*', "'~/a*'"],
])('%j is one word for a shell: %s', (text, expected) => {
  expect(quoted(text)).toBe(expected);
  expect(execFileSync('sh', ['-c', `printf %s ${expected}`], { encoding: 'utf8' })).toBe(text);
});
