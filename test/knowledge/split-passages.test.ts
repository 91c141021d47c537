import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentKind, splitPassages } from '../../src/knowledge/split-passages.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { cases } from '../support/long.ts';

const headings = (text: string, path = 'a.md') =>
  splitPassages(text, path, documentKind(path) ?? 'markdown').map(
    ({ heading, first, last }) => `${heading} ${first}-${last}`,
  );

describe('passages by heading (CMD-15)', () => {
  test('splits Markdown: nested headings, code, front matter, underlined headings', () => {
    const text = [
      '---',
      '# no heading',
      '---',
      '# The *guide*',
      'about it',
      '## Install `x`',
      '```sh',
      '# a comment',
      '```',
      '### On [Linux](l.md) ##',
      'apt',
      '## Use',
      '',
      'text',
      'Underlined',
      '----------',
      'no: a paragraph above',
      '',
      'Really',
      '------',
      'yes',
    ].join('\n');
    expect(headings(text)).toEqual([
      'The guide 1-3',
      'The guide 5-5',
      'Install x 7-9',
      'Install x › On Linux 11-11',
      'Use 14-17',
      'Really 21-21',
    ]);
  });

  test('splits reStructuredText and plain text: lines of punctuation, the first kind outermost', () => {
    const text =
      '=====\nTitle\n=====\n\nhello\n\nFirst\n-----\n\none\n\nDeeper\n~~~~~~\ntwo\n\nSecond\n------\nthree\n';
    expect(headings(text, 'a.rst')).toEqual([
      'Title 5-5',
      'First 10-10',
      'First › Deeper 14-14',
      'Second 18-18',
    ]);
  });

  test('splits AsciiDoc', () => {
    expect(headings('= T\n\n== A\n\none\n\n----\n== no\n----\n\n=== B\ntwo\n', 'a.adoc')).toEqual([
      'A 5-9',
      'A › B 12-12',
    ]);
  });

  test('a heading with nothing below it can still be found', () => {
    expect(headings('# Plan\n\n## Later\n\n## Never\n\nno\n')).toEqual(['Later 3-3', 'Never 7-7']);
  });

  test('a document without headings is named after its file', () => {
    expect(splitPassages('words\n', 'notes/release-plan.txt', 'underlined')[0]).toMatchObject({
      title: 'release plan',
      heading: 'release plan',
    });
  });

  test('a file that is not a document is ignored', () => {
    expect(['a.ts', 'b.json', 'c', 'd.png'].map(documentKind)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(['README', 'x/CHANGELOG', 'a.MD', 'b.txt'].every(documentKind)).toBe(true);
  });

  test('no passage is too long, and no word of the text is lost, whatever the text', () => {
    const line = fc.oneof(
      fc.constantFrom('', '# A', '## B', '```', 'Title', '=====', '-----', '| a | b |'),
      fc.string({ maxLength: 80 }),
      fc.nat({ max: 9000 }).map((size) => 'x'.repeat(size)),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        fc.constantFrom('a.md', 'a.rst', 'a.adoc'),
        (lines, path) => {
          const passages = splitPassages(lines.join('\n'), path, documentKind(path) ?? 'markdown');
          for (const { text, first, last } of passages) {
            expect(text.length).toBeLessThanOrEqual(3600);
            expect(first).toBeGreaterThan(0);
            expect(last).toBeLessThanOrEqual(lines.join('\n').split(/\r\n|\n|\r/).length);
          }
          const whole = passages.map(({ text }) => text).join('');
          const names = passages.flatMap(({ title, heading }) => [title, heading]);
          const isHeading = (at: number) => /^(?:={5}|-{5})$/.test(lines[at + 1] ?? '');
          const long = lines.filter((each, at) => /^x{2,}$/.test(each) && !isHeading(at));
          expect(whole.match(/x/g)?.length ?? 0).toBeGreaterThanOrEqual(long.join('').length);
          // A heading is above its passages, not in them.
          for (const each of lines.filter((line, at) => /^x{2,}$/.test(line) && isHeading(at)))
            expect([whole, ...names].some((text) => text.includes(each))).toBe(true);
        },
      ),
      { numRuns: cases(200) },
    );
  });

  test('a line of spaces takes no longer than any other', () => {
    const lines = ['# a', 'a\n===', '= a'].map((line) => line.replace('a', `a${' '.repeat(200_000)}b #`));
    for (const path of ['a.md', 'a.rst', 'a.adoc'])
      expect(cpuTime(() => headings(lines.join('\n\n'), path))).toBeLessThan(2000);
    expect(headings('# On C#\ntext\n## Part ##  \ntext\n')).toEqual(['On C# 2-2', 'Part 4-4']);
  });
});
