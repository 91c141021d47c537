import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/issues/gaps/text/document.ts';

const topics = (text: string) =>
  readDocument(text).sections.map(({ heading, topic, empty }) => [heading, topic, empty]);
const written = (text: string) =>
  readDocument(text)
    .pieces.filter((piece) => !piece.placeholder)
    .map((piece) => piece.text.trim());

describe('the text of an issue', () => {
  it.each([
    ['### Steps to reproduce\nx', 'reproduction'],
    ['**Expected behavior**\nx', 'expected'],
    ['Actual result: x', 'actual'],
    ['- **Expected:** x', 'expected'],
    ['Acceptance criteria\n===\nx', 'criteria'],
    ['【复现步骤】\nx', 'reproduction'],
    ['## ✅ Akzeptanzkriterien\nx', 'criteria'],
    ['## Étapes pour reproduire\nx', 'reproduction'],
    ['## Comportamiento esperado\nx', 'expected'],
    ['## Passos para reproduzir\nx', 'reproduction'],
    ['**Ожидаемое поведение**\nx', 'expected'],
    ['## 期待する動作\nx', 'expected'],
    ['## 완료 조건\nx', 'criteria'],
    ["**Describe alternatives to the solution you'd like**\nx", 'alternatives'],
    ['What steps will reproduce the problem?\nx', 'reproduction'],
  ])('GAP-2 has headings of many forms and languages: %j', (text, topic) => {
    expect(topics(text)[0]?.[1]).toBe(topic);
  });

  it('GAP-2 knows which sections nobody filled in', () => {
    const text =
      '## Bug\n### Steps\n1. \n2. \n### Expected\n_No response_\n### Logs\n```\n\n```\n### Notes\nit is slow';
    expect(topics(text)).toEqual([
      ['Bug', 'problem', false],
      ['Steps', 'reproduction', true],
      ['Expected', 'expected', true],
      ['Logs', 'logs', true],
      ['Notes', 'extra', false],
    ]);
  });

  it('GAP-2 leaves out what the template says', () => {
    const text = [
      'A clear and concise description of what the bug is.',
      '_Describe what the epic is about and who it is for, in two or three sentences._',
      'Please describe the problem in detail here.',
      '请描述你希望新增的功能。',
      ' - OS: [e.g. iOS]',
      '- [x] I have searched the existing issues',
      'Please add a filter for dates.',
    ].join('\n\n');
    expect(written(text)).toEqual(['Please add a filter for dates.']);
  });

  it('GAP-2 a version on its own line says nothing about what follows', () => {
    const { pieces } = readDocument('Version: 2.1\n\nWhen I save, it hangs.');
    expect(pieces.map(({ topic }) => topic)).toEqual(['environment', undefined]);
  });

  it('GAP-2 distinguishes kinds of fences', () => {
    const kind = (fence: string) => readDocument(`Text before.\n\n${fence}`).fences[0]?.kind;
    expect(kind('```\nTraceback (most recent call last):\n  File "a.py", line 1\n```')).toBe('stack_trace');
    expect(kind('```\nerror: no such file\n```')).toBe('error_output');
    expect(kind('```diff\n-a\n+b\n```')).toBe('diff');
    expect(kind('```\nGiven a list\nWhen I sort it\nThen it is sorted\n```')).toBe('scenario');
    expect(kind('~~~ts\nconst a = 1;\n~~~')).toBe('code');
    expect(kind('    const a = 1;\n    const b = 2;')).toBe('code');
    expect(kind('```\n\n```')).toBe('empty');
    expect(
      readDocument('```\nThe whole issue was moved here, as plain words in one fence.\n```').fences[0]?.kind,
    ).toBe('prose');
  });

  it('GAP-2 an open fence or comment ends with the text', () => {
    expect(readDocument('```js\nlet a').fences).toHaveLength(1);
    expect(written('seen\n\n<!-- hidden\n\nhidden, too')).toEqual(['seen']);
  });
});
