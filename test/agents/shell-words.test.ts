import { expect, test } from 'vitest';
import { shellWords } from '../../src/agents/shell-words.ts';

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
