import { describe, expect, it } from 'vitest';
import { EVERYTHING, hrefOf, hrefOfInbox, parseRoute } from '../../web/src/route.ts';
import { parseMarkdown } from '../../web/src/text/markdown.ts';
import { said } from '../../web/src/text/said.ts';
import { duration, silence, titleOf } from '../../web/src/text/words.ts';
import { cpuTime } from '../support/cpu-time.ts';
import { asked, question } from './support.ts';

describe('the small Markdown', () => {
  it('knows paragraphs, headings, code, lists, bold and emphasis', () => {
    expect(
      parseMarkdown('# Title\none **two** `x*y*` *three*\n\n- a\n  more\n- b\n\n1. c\n\n```ts\n<b>\n```'),
    ).toEqual([
      { kind: 'heading', inline: [{ kind: 'text', text: 'Title' }] },
      {
        kind: 'paragraph',
        inline: [
          { kind: 'text', text: 'one ' },
          { kind: 'strong', text: 'two' },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'x*y*' },
          { kind: 'text', text: ' ' },
          { kind: 'emphasis', text: 'three' },
        ],
      },
      {
        kind: 'list',
        ordered: false,
        items: [[{ kind: 'text', text: 'a\nmore' }], [{ kind: 'text', text: 'b' }]],
      },
      { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'c' }]] },
      { kind: 'code', text: '<b>' },
    ]);
  });

  it('knows tables, check boxes, and the text of a link into the same folder', () => {
    const text = (words: string) => [{ kind: 'text', text: words }];
    const table = 'Phases:\n| No. | Title \\| name |\n|--:|:-:|\n| 1 | [Data](phase-1.md) |\n2|`a`\n\nEnd';
    expect(parseMarkdown(table)).toEqual([
      { kind: 'paragraph', inline: text('Phases:') },
      {
        kind: 'table',
        align: ['end', 'center'],
        head: [text('No.'), text('Title | name')],
        rows: [
          [text('1'), text('Data')],
          [text('2'), [{ kind: 'code', text: 'a' }]],
        ],
      },
      { kind: 'paragraph', inline: text('End') },
    ]);
    expect(parseMarkdown('- [ ] a\n- [x] b')).toEqual([
      { kind: 'list', ordered: false, items: [text('☐ a'), text('☑ b')] },
    ]);
  });

  it.each([
    ['a link', '[x](javascript:alert(1))'],
    ['a link elsewhere', '[github.com](https://example.com) [x](//example.com/a)'],
    ['a bar', 'a | b\nc - d'],
    ['a rule without a head', '---|---\nx'],
    ['markup', '<img src=x onerror=alert(1)>'],
    ['a product', '2*3*4 and snake_case_name'],
    ['an open mark', 'a ** b ` c'],
  ])('%s stays the text that it is', (_, text) => {
    expect(parseMarkdown(text)).toEqual([{ kind: 'paragraph', inline: [{ kind: 'text', text }] }]);
  });

  it('an unclosed fence is code to the end, and nothing is slow', () => {
    expect(parseMarkdown('```\na\n\nb')).toEqual([{ kind: 'code', text: 'a\n\nb' }]);
    for (const part of [
      '`',
      '**',
      '*',
      '- ',
      '# ',
      '```\n',
      '* a',
      '\n',
      '|',
      '|-\n',
      '[a',
      '[a](',
      '[a](b',
      '\\|',
    ])
      expect(
        cpuTime(() => parseMarkdown(part.repeat(60_000))),
        part,
      ).toBeLessThan(1000);
  });
});

describe('words', () => {
  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [61_000, '1 min'],
    [3_600_000, '1 h'],
    [5_400_000, '1 h 30 min'],
    [90_000_000, '1 d 1 h'],
  ])('%i ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

  it('say what happens if nobody answers, for each policy', () => {
    const now = Date.parse('2026-01-01T10:00:00Z');
    const deadlineAt = '2026-01-01T10:05:00Z';
    const say = (policy: Parameters<typeof asked>[0]) => silence(asked({ deadlineAt, ...policy }), now);
    expect(say({ policy: { kind: 'wait' } })).toContain('stays open');
    expect(say({ policy: { kind: 'remind', after: 300 } })).toContain('within 5 min, you will be reminded');
    expect(say({ policy: { kind: 'skip', after: 300 } })).toContain('within 5 min, the question is skipped');
    expect(say({ policy: { kind: 'fail', after: 300 } })).toContain('within 5 min, the question expires');
    expect(say({ policy: { kind: 'default', after: 300, answers: { q: ['A', 'B'] } } })).toContain(
      'within 5 min, the answer will be A, B',
    );
  });
});

describe('addresses', () => {
  it('lead to a page and back, even for ids with slashes and percent signs', () => {
    expect(parseRoute(hrefOf('task', 'p', 'plan/1 %2F'))).toEqual({
      page: 'task',
      project: 'p',
      task: 'plan/1 %2F',
    });
    expect(parseRoute('')).toEqual({ page: 'inbox', filter: EVERYTHING });
    expect(parseRoute('#/inbox/p/n-1')).toEqual({
      page: 'inbox',
      filter: EVERYTHING,
      project: 'p',
      notification: 'n-1',
    });
    expect(parseRoute('#/board')).toEqual({ page: 'board' });
  });

  it('keep the filter of the inbox, whatever the search text', () => {
    const filter = { text: 'a/b?c=d&e #1 "50 %" ö', project: 'p/1', kind: '' };
    expect(parseRoute(hrefOfInbox(filter, 'p?', 'n-1'))).toEqual({
      page: 'inbox',
      filter,
      project: 'p?',
      notification: 'n-1',
    });
    expect(hrefOfInbox(EVERYTHING)).toBe('#/inbox');
  });

  it.each(['#/run', '#/task/p', '#/nowhere', '#/%E0%A4%A'])('%s is not a page', (hash) => {
    expect(parseRoute(hash)).toEqual({ page: 'unknown' });
  });
});

describe('one line of a text', () => {
  const titled = (text: string) => titleOf(asked({ questions: [question({ text })] }));

  it('has no marks of Markdown, and keeps the number of an issue', () => {
    expect(titled('#3 "Keep **it**" leaves `a` choice')).toBe('#3 "Keep it" leaves a choice');
    expect(titled('# Choose\n\n- one\n- two\n\n```\ncode  here\n```')).toBe('Choose one two code here');
    expect(titled('2 * 3 * 4 and *that*')).toBe('2 * 3 * 4 and that');
  });

  it('of a JSON result is its summary; other text stays unchanged', () => {
    expect(said('{"status":"success","summary":"Wrote it."}')).toBe('Wrote it.');
    for (const text of ['{"status":"success"}', '{not json}', '{"summary":3}', 'Words {"summary":"x"}'])
      expect(said(text)).toBe(text);
  });
});
