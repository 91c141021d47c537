import { describe, expect, it } from 'vitest';
import { readIssue } from '../../../src/issues/gaps/read-issue.ts';
import { checkIssues } from '../../../src/issues/issue.ts';

function read(body: string) {
  const [issue] = checkIssues([{ number: 1, title: 'A title', body }], 'a test');
  if (!issue) throw new Error('no issue');
  return readIssue(issue).body;
}
const sentences = (body: string) => read(body).sentences.map(({ text }) => text.trim());

describe('the text of an issue', () => {
  it.each([
    ['### Steps to reproduce\nx', 'reproduction'],
    ['**Expected behavior**\nx', 'expected'],
    ['Actual result: x', 'actual'],
    ['- **Expected:** x', 'expected'],
    ['Acceptance criteria\n===\nx', 'criteria'],
    ['## ✅ Acceptance criteria\nx', 'criteria'],
    ["**Describe alternatives to the solution you'd like**\nx", 'alternatives'],
    ['What steps will reproduce the problem?\n===\nx', 'reproduction'],
    ['## Test plan\nx', 'checks'],
    ['## Open questions\nx', 'questions'],
  ])('GAP-2 has headings of many forms: %j', (text, topic) => {
    expect(read(text).sections[0]?.topic).toBe(topic);
  });

  it('GAP-2 has sections that nobody filled in', () => {
    const text =
      '## Bug\n### Steps\n1. \n2. \n### Expected\n_No response_\n### Logs\n```\n\n```\n### Notes\nit is slow';
    expect(read(text).sections.map(({ heading, filled }) => [heading, filled])).toEqual([
      ['Bug', true],
      ['Steps', false],
      ['Expected', false],
      ['Logs', false],
      ['Notes', true],
    ]);
  });

  it('GAP-2 does not contain what the template says', () => {
    const text = [
      'A clear and concise description of what the bug is.',
      '_Describe what the epic is about and who it is for, in two or three sentences._',
      'Please describe the problem in detail here.',
      ' - OS: [e.g. iOS]',
      '- [x] I have searched the existing issues',
      'As a xxxx',
      'It changed between versions ______ and _______',
      'Please add a filter for dates.',
    ].join('\n\n');
    expect(sentences(text)).toEqual(['Please add a filter for dates.']);
  });

  it('GAP-2 has sentences, whatever the lines are', () => {
    expect(sentences('First line\nsecond line')).toEqual(['First line', 'second line']);
    const wrapped =
      'This sentence is so long that its author or an editor wrapped it, and it\ngoes on here. Next.';
    expect(sentences(wrapped)).toHaveLength(2);
    expect(sentences('It prints e.g. a date. Done it is.')).toHaveLength(2);
  });

  it('GAP-2 words in code and in addresses are not prose', () => {
    expect(sentences('Use `either Redis or Postgres` here.').join()).not.toContain('Redis');
    const { links, sentences: said } = read(
      'See https://example.org/blocked-by-other and [the docs](https://x.org).',
    );
    expect(said[0]?.text).not.toContain('blocked');
    expect(links.map(({ url }) => url)).toEqual(['https://example.org/blocked-by-other', 'https://x.org']);
  });

  it('GAP-2 a place is where the words are, also in lists and quotes', () => {
    const text = 'Intro.\n\n> - one\n>   with more. The end.';
    const place = read(text)
      .sentences.find((each) => each.text.includes('The end'))
      ?.place();
    expect(place).toMatchObject({ in: 'body', line: 4, column: 16, text: 'The end.' });
  });

  it('GAP-2 an open fence or comment ends with the text', () => {
    expect(read('```js\nlet a').code).toHaveLength(1);
    expect(sentences('seen\n\n<!-- hidden\n\nhidden, too')).toEqual(['seen']);
  });

  it('GAP-2 HTML is read without its tags, <pre> is code', () => {
    const { sentences: said, code } = read(
      '<details><summary>Steps to reproduce</summary>\n\nPress it.\n</details>\n\n<pre>\n$ run it\n</pre>',
    );
    expect(said.map(({ text }) => text.trim())).toContain('Press it.');
    expect(code).toHaveLength(1);
  });
});
