import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verbatimCaption, verbatimLines } from '../../src/schema/verbatim.ts';
import { visible, visibleJson, visibleProse } from '../../src/schema/visible.ts';
import { anyCodePoint } from '../support/any-text.ts';
import { awkwardCommands } from '../support/awkward-commands.ts';
import { leastTime } from '../support/least-time.ts';
import { spread } from '../support/long.ts';

const awkward = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'\0\x07\b\t\n\r\x1b\x7f\x9b \u00a0\u00ad\u0301\u034f\u061c\u200b\u200d\u200f\u2028\u202e\u2066\ufe0f\ufeff\ue000\ud800\udc00⚠a1␛␠⟨⟩U+',
    ),
    fc.constantFrom('\u{e0041}', '⟨U+202E⟩', '🎼', '\r\n'),
    anyCodePoint,
  ),
});

test.each(awkwardCommands)(
  'CHAN-1 a person reads every byte of a command with $name (BIND-11)',
  ({ command, shown }) => {
    expect(verbatimLines(command)).toEqual(shown);
  },
);

test('the exact approved text can be read back from what is shown (BIND-11)', () => {
  fc.assert(
    fc.property(awkward, (text) => {
      expect(readBack(verbatimLines(text))).toBe(text);
    }),
  );
});

test('no invisible character is left, and none is dropped (BIND-11)', () => {
  const unseen = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u;
  fc.assert(
    fc.property(awkward, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(unseen);
      expect([...shown].length).toBeGreaterThanOrEqual([...text.replaceAll('\r\n', '\n')].length);
    }),
  );
});

test('JSON keeps its value, and has no character that takes effect or hides (BIND-25)', () => {
  const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;
  fc.assert(
    fc.property(awkward, (text) => {
      const json = visibleJson(JSON.stringify({ text }, null, 2));
      expect(json).not.toMatch(unseen);
      expect(JSON.parse(json)).toEqual({ text });
      expect(visible(json)).toBe(json);
    }),
  );
});

test('text that was made visible stays the same, so applying it twice does no harm (BIND-11)', () => {
  fc.assert(
    fc.property(awkward, (text) => {
      expect(visible(visible(text))).toBe(visible(text));
    }),
  );
});

test('prose keeps joiners and marks that many scripts need, but nothing that hides or reorders (BIND-11)', () => {
  const persian = 'می\u200cخواهم';
  expect(visibleProse(persian)).toBe(persian);
  expect(visible('⚠\ufe0f done ✅, ünï 漢字 🎼')).toBe('⚠\ufe0f done ✅, ünï 漢字 🎼');
  expect(visibleProse('a\u202eb\x1b[8m\u200b')).toBe('a⟨U+202E⟩b␛[8m⟨U+200B⟩');
});

test('a caption says how much there is, and that secrets were removed (BIND-11)', () => {
  expect(verbatimCaption({ label: 'command', text: 'ls' })).toBe('command (1 line, 2 characters)');
  expect(verbatimCaption({ label: 'a\nb', text: '' })).toBe('a␊b (empty)');
  expect(verbatimCaption({ label: 'command', text: 'a\n[redacted]', redactedFrom: 1234 })).toBe(
    'command (2 lines, 12 characters; secrets are replaced by [redacted], the original has 1,234 characters)',
  );
});

test.each(
  spread([
    ['escapes', '\x1b'],
    ['blanks', ' '],
    ['combining marks', '\u0301'],
    ['emoji that might have a selector', '⚠'],
    ['brackets', '⟨'],
  ] as const),
)('making %s visible takes time in proportion to their number (BIND-11)', (_, character) => {
  const time = (length: number, attempts: number) => {
    const text = `${character.repeat(length)}x`;
    return leastTime(() => verbatimLines(text), attempts);
  };
  // The size doubles in three steps; quadratic time would be 64 times as much.
  expect(time(160_000, 6)).toBeLessThan(24 * Math.max(10, time(20_000, 8)));
});

function readBack(lines: string[]): string {
  return lines
    .join('\n')
    .replace(/⟨U\+([0-9A-F]+)⟩|([\u2400-\u2421])/g, (_, code: string | undefined, picture: string) => {
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      if (picture === '␡') return '\x7f';
      return String.fromCodePoint((picture.codePointAt(0) ?? 0) - 0x2400);
    });
}
