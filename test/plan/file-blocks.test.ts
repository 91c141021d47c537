import { describe, expect, test } from 'vitest';
import { withAssumed } from '../../src/plan/draft.ts';
import { badName, readFileBlocks } from '../../src/plan/file-blocks.ts';

const block = (name: string, content: string) => `---FILE: ${name}---\n${content}\n---END FILE---\n`;

describe('CONV-2 file blocks in an answer', () => {
  test('are read with any text around them', () => {
    const answer = `Here you are:\r\n\r\n---FILE: MASTER_PLAN.md---  \r\n# T\r\n\r\ntext\r\n---END FILE---\r\nand\n${block('phase-1.md', '```markdown\n# Phase 1: x\n```')}`;
    expect(readFileBlocks(answer)).toEqual({
      files: [
        { name: 'MASTER_PLAN.md', content: '# T\n\ntext\n', line: 3 },
        { name: 'phase-1.md', content: '# Phase 1: x\n', line: 9 },
      ],
      problems: [],
    });
  });

  test.each([
    ['two pieces of code', '```\ncode\n```\n\n```sh\nmore\n```js'],
    ['a fence with text behind it', '```\ncode\n``` and more'],
    ['a fence with nothing in it', '~~~\n~~~'],
  ])('%s stays in the text', (_, text) => {
    expect(readFileBlocks(block('a.md', text)).files).toEqual([
      { name: 'a.md', content: `${text}\n`, line: 1 },
    ]);
  });

  test('a block without an end, an empty one and a repeated one are named', () => {
    const { files, problems } = readFileBlocks(
      `${block('a.md', 'x')}${block('A.md', 'y')}${block('b.md', '')}---FILE: c.md---\nno end`,
    );
    expect(files.map((file) => file.name)).toEqual(['a.md']);
    expect(problems.map(({ code, line }) => [code, line])).toEqual([
      ['DUPLICATE_BLOCK', 4],
      ['EMPTY_BLOCK', 7],
      ['BLOCK_WITHOUT_END', 10],
    ]);
  });

  test('200 KB of unclosed headers are read quickly', () => {
    const { problems } = readFileBlocks('---FILE: a.md---\n'.repeat(12_000));
    expect(problems).toHaveLength(12_000);
  });
});

test.each([
  '/etc/passwd',
  '../x.md',
  'a/../../x',
  'C:\\x',
  'a\\b.md',
  'a\0b',
  'nul',
  'AUX.md',
  '',
  '.git/config',
  'a//b',
  'a /b',
  'x'.repeat(300),
])('CONV-3 a name that points outside the folder is refused: %j', (name) => {
  expect(badName(name)).toBeTruthy();
  expect(readFileBlocks(block(name, 'x')).files).toEqual([]);
});

test('CONV-3 names that look alike count as one, and a hundred files are the limit', () => {
  const alike = readFileBlocks(block('caf\u00e9.md', 'x') + block('cafe\u0301.md', 'y'));
  expect(alike.problems.map(({ code }) => code)).toEqual(['DUPLICATE_BLOCK']);
  const inside = block('notes/a.md', 'x');
  for (const both of [inside + block('Notes', 'y'), block('Notes', 'y') + inside])
    expect(readFileBlocks(both).problems).toEqual([
      expect.objectContaining({ code: 'DUPLICATE_BLOCK', line: 4 }),
    ]);
  const many = Array.from({ length: 101 }, (_, index) => block(`f${index}.md`, 'x'));
  expect(readFileBlocks(many.slice(1).join('')).problems).toEqual([]);
  expect(readFileBlocks(many.join('')).problems.map(({ code }) => code)).toEqual(['TOO_MANY_FILES']);
});

test.each(['MASTER_PLAN.md', 'phase-2-A.md', 'notes/NOTES_phase_1.md'])(
  'CONV-3 a plain name is fine: %s',
  (name) => {
    expect(badName(name)).toBeUndefined();
  },
);

test('ADP-1 the master of a drafted plan lists what nobody was asked', () => {
  const questions = [{ id: 'q1', text: 'Which\ndatabase?', createdAt: '' }];
  const assumed = { id: 'n-1', questions, responses: [] } as never;
  const { files } = readFileBlocks(block('MASTER_PLAN.md', '# P') + block('phase-1.md', '# Phase 1: x'));
  const [master, phase] = withAssumed(files, [assumed]);
  expect(master?.content).toContain('- Which database? (asked by the agent');
  expect([phase, ...withAssumed(files, [])]).toEqual([files[1], ...files]);
});
