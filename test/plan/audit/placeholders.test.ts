import { describe, expect, it } from 'vitest';
import { findPlaceholders } from '../../../src/plan/audit/placeholders.ts';

const found = (text: string) => findPlaceholders(text).map(({ text }) => text);

describe('AUD-3 PLACEHOLDER_LEFT', () => {
  it.each([
    ['# {Feature} - Master Plan', ['{Feature}']],
    ['{What is to be done, and why}', ['{What is to be done, and why}']],
    ['- [ ] TODO', ['TODO']],
    ['| 1 | TODO | TBD |', ['TODO', 'TBD']],
    ['Owner: TBD.', ['TBD']],
    ['TODO: more', ['TODO']],
    ['[Describe the goal] and [Your name]', ['[Describe the goal]', '[Your name]']],
    ['<your token> and {{ name }}', ['<your token>', '{{ name }}']],
    ['- Write notes to: `notes/NOTES_{feature}_phase_{N}.md`', ['{feature}', '{N}']],
    ['- tests: `{command that runs the tests}`', ['{command that runs the tests}']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    'GET /users/{id} and ?q={query}',
    '`const { a, b } = c` and `$' + '{HOME}` and `{ "a": 1 }` and `import {a, b}`',
    'Remove all TODO comments; the todo list; tbd',
    '[Describe](a.md) and [x] and [todo]: b',
    '```\n{Feature} TBD\n```',
    '<!-- {Feature} -->',
    '<b>your</b> <details>',
    '\\{Feature\\}',
    '{}, { }, {1}',
  ])('nothing in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('has its line and column', () => {
    expect(findPlaceholders('a\r\n  {Feature}\r\n')).toEqual([
      { text: '{Feature}', span: { line: 2, column: 3, length: 9 } },
    ]);
  });
});
