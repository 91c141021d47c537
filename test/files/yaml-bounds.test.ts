import { expect, test } from 'vitest';
import { beyondBounds } from '../../src/files/parse-yaml.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { spread } from '../support/long.ts';

test.each(
  spread(['['.repeat(60_000), '{a: '.repeat(10_000), `${'- '.repeat(20_000)}x`, `${'? '.repeat(20_000)}x`]),
)('PROT-5 nesting without end is seen before it is followed (%#)', (text) =>
  expect(beyondBounds(text)).toBe('it is nested too deeply'),
);

test.each([
  '',
  'a: [1, {b: 2}]',
  '- a\n- - b\n  - c',
  `text: |\n  ${'[{('.repeat(5000)}`,
  'a: "[[[["',
  '---\n---\n',
])('PROT-5 what people write is read (%#)', (text) => expect(beyondBounds(text)).toBeUndefined());

test('PROT-5 an endless list of entries is given up early; a long text counts as one entry', () => {
  const endless = 'a: b\n'.repeat(800_000);
  expect(cpuTime(() => expect(beyondBounds(endless)).toMatch(/more than 100000 tokens/))).toBeLessThan(3000);
  expect(beyondBounds(`logs: |\n${'  a line\n'.repeat(300_000)}`)).toBeUndefined();
});
