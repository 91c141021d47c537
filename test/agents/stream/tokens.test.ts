import { describe, expect, it } from 'vitest';
import { assistant, init, lines, read } from './support/fixture.ts';

const usage = (input: unknown, output: unknown) => ({ input_tokens: input, output_tokens: output });
const message = (id: string | undefined, of: unknown, more: object = {}) =>
  assistant([], more, { id, usage: of });
const total = (...objects: unknown[]) => {
  const { inputTokens, outputTokens } = read(lines(...objects)).usage;
  return [inputTokens, outputTokens];
};

describe('tokens', () => {
  it('STR-5 of a message count once, with the highest reported figure', () => {
    expect(total(message('a', usage(5, 1)), message('a', usage(5, 9)), message('a', usage(5, 3)))).toEqual([
      5, 9,
    ]);
    expect(total(message('a', usage(5, 1)), message('b', usage(5, 1)))).toEqual([10, 2]);
  });

  it('STR-5 of a message without an id are added', () => {
    expect(total(message(undefined, usage(5, 1)), message(undefined, usage(5, 1)))).toEqual([10, 2]);
  });

  it('STR-5 of the result count instead of those of its turn, and turns are added', () => {
    const result = (of: unknown) => ({ type: 'result', usage: of });
    expect(total(message('a', usage(1, 2)), result(usage(999, 888)))).toEqual([999, 888]);
    expect(total(message('a', usage(1, 2)), result(usage(9, 8)), message('b', usage(1, 1)))).toEqual([10, 9]);
    expect(total(result(usage(9, 8)), result(usage(1, 1)))).toEqual([10, 9]);
  });

  it('STR-5 of a result without figures are those of its messages', () => {
    expect(total(message('a', usage(1, 2)), { type: 'result' }, message('b', usage(1, 1)))).toEqual([2, 3]);
  });

  it('STR-5 of a message that is repeated after its turn do not count again', () => {
    const result = { type: 'result', usage: usage(9, 8) };
    expect(total(message('a', usage(1, 2)), result, init(), message('a', usage(1, 2)))).toEqual([9, 8]);
  });

  it('STR-5 of sub-agents count until the result reports a total', () => {
    const sub = message('s', usage(4, 4), { parent_tool_use_id: 't' });
    expect(total(message('a', usage(1, 1)), sub)).toEqual([5, 5]);
    expect(total(message('a', usage(1, 1)), sub, { type: 'result', usage: usage(7, 7) })).toEqual([7, 7]);
  });

  it('STR-5 that are not numbers are ignored, null is 0', () => {
    for (const odd of [1.5, -1, '3', Number.MAX_SAFE_INTEGER + 2, {}]) {
      expect(total(message('a', usage(odd, 2)))).toEqual([0, 0]);
    }
    expect(total(message('a', { ...usage(1, 2), cache_read_input_tokens: null }))).toEqual([1, 2]);
  });

  it('STR-5 STR-7 are counted correctly even for more messages than can be distinguished', () => {
    const many = Array.from({ length: 3000 }, (_, i) => message(`m${i}`, usage(1, 2)));
    const twice = many.flatMap((each) => [each, each]);
    expect(total(...twice)).toEqual([3000, 6000]);
    expect(total(...twice, { type: 'result', usage: usage(3, 4) })).toEqual([3, 4]);
  });
});
