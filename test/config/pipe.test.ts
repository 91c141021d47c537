import { describe, expect, test } from 'vitest';
import { pipeMode, pipeTimeout } from '../../src/cli/pipe.ts';

describe('the environment of the pipe', () => {
  test.each([
    ['1', true],
    ['0', false],
    ['false', false],
    ['', false],
    [undefined, false],
  ])('PIPE-1 a value of %j', (value, isOn) => {
    expect(pipeMode({ FERMATA_QA_PIPE: value })).toEqual({ isOn });
    expect(pipeMode({ DEBUSSY_QA_PIPE: value })).toEqual({ isOn });
  });

  test.each(['true', 'yes', ' 1 ', '2'])('PIPE-1 BIND-17 %j is not 1, and is reported', (value) => {
    const problem = expect.stringContaining(`DEBUSSY_QA_PIPE is "${value}"`);
    expect(pipeMode({ DEBUSSY_QA_PIPE: value })).toEqual({ isOn: false, problem });
    expect(pipeMode({ DEBUSSY_QA_PIPE: value, FERMATA_QA_PIPE: '1' })).toEqual({ isOn: true });
  });

  test.each([
    ['60', 60],
    ['0.25', 0.25],
    ['.5', 0.5],
    [' 5 ', 5],
    ['', 30],
    [undefined, 30],
  ])('PIPE-6 %j is a time of %d seconds', (value, seconds) => {
    expect(pipeTimeout({ FERMATA_QA_TIMEOUT: value })).toEqual({ seconds });
    expect(pipeTimeout({ FERMATA_QA_TIMEOUT: '', DEBUSSY_QA_TIMEOUT: value })).toEqual({ seconds });
  });

  test.each(['not_a_number', '-1', '0', '1e9', 'Infinity', '5s', '12345678901'])(
    'PIPE-6 %j is reported, and the default is used',
    (value) => {
      const { seconds, problem } = pipeTimeout({ DEBUSSY_QA_TIMEOUT: value });
      expect([seconds, problem]).toEqual([30, expect.stringContaining(`DEBUSSY_QA_TIMEOUT: "${value}"`)]);
    },
  );

  test('PIPE-6 our name overrides the older one', () => {
    expect(pipeTimeout({ FERMATA_QA_TIMEOUT: '2', DEBUSSY_QA_TIMEOUT: '3' })).toEqual({ seconds: 2 });
  });
});
