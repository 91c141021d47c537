import { expect, test } from 'vitest';
import { printable } from '../../src/channels/printable.ts';

test.each([
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07text', 'text'],
  ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['a\rb', 'a\nb'],
  ['a\r\nb\tc', 'a\nb\tc'],
  ['bell\x07 back\x08 del\x7f c1\x9b2J', 'bell back del c12J'],
  ['\u202Eevil\u2066', 'evil'],
  ['ünï – 漢字 🎼', 'ünï – 漢字 🎼'],
])('CHAN-1 a question cannot steer the terminal: %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});
