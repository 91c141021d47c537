import { expect, test } from 'vitest';
import { isTooDeep } from '../../src/files/yaml-depth.ts';

test.each(['['.repeat(60_000), '{a: '.repeat(20_000), `${'- '.repeat(20_000)}x`, `${'? '.repeat(20_000)}x`])(
  'PROT-5 nesting without end is seen before it is followed (%#)',
  (text) => expect(isTooDeep(text)).toBe(true),
);

test.each([
  '',
  'a: [1, {b: 2}]',
  '- a\n- - b\n  - c',
  `text: |\n  ${'[{('.repeat(5000)}`,
  'a: "[[[["',
  '---\n---\n',
])('PROT-5 %j is not nested too deeply', (text) => expect(isTooDeep(text)).toBe(false));
