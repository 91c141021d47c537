import { describe, expect, test } from 'vitest';
import { takeRound, withoutRoundEnd } from '../../src/cli/stdin-answers.ts';

describe('SEED-1 answers on stdin', () => {
  test.each<[string, number, string[], string]>([
    ['Rust\nPostgreSQL\n', 2, ['Rust', 'PostgreSQL'], ''],
    ['one\ntwo\n', 1, ['one'], 'two\n'],
    ['Rust\n\nPostgreSQL\n\n\nignored\n', 1, ['Rust\n\nPostgreSQL'], 'ignored\n'],
    ['Rust\n\nPostgreSQL\n\n\n', 2, ['Rust', 'PostgreSQL'], ''],
    ['a\r\n\r\n\r\nb\r\n', 1, ['a'], 'b\n'],
    ['a\nb\nc\n\n\n', 2, ['a', 'b\nc'], ''],
    ['a\n\n\n', 2, ['a'], ''],
    ['\n\n', 2, [], ''],
  ])('%j for %i question(s)', (text, questions, answers, rest) => {
    expect(takeRound(text, questions, false)).toMatchObject({ answers, isOver: true, rest });
  });

  test('wait until they arrive; input that ends early leaves questions open', () => {
    expect(takeRound('Rust\nPost', 2, false)).toBeUndefined();
    expect(takeRound('Rust\nPost', 2, true)).toMatchObject({ answers: ['Rust', 'Post'], isOver: true });
    expect(takeRound('Rust', 2, true)).toMatchObject({ answers: ['Rust'], isOver: false, rest: '' });
    expect(takeRound('', 1, true)).toBeUndefined();
  });

  test('the blank lines that end a round do not skip the next one', () => {
    expect(withoutRoundEnd('\n\ntwo\n')).toBe('two\n');
    expect(withoutRoundEnd('\n\n\n\n')).toBe('\n\n');
  });
});
