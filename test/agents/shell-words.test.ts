import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted, shellWords } from '../../src/agents/shell-words.ts';

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

test('a command line with nothing to replace is taken apart into its words', () => {
  expect(shellWords(`git commit -m 'two words' "a \\"b\\""`)).toEqual([
    'git',
    'commit',
    '-m',
    'two words',
    'a "b"',
  ]);
  for (const risky of ['a; b', 'a $(b)', 'a > b', 'a\nb', "a '", 'a $b'])
    expect(shellWords(risky)).toBeUndefined();
});
