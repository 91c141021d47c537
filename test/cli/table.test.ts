import { describe, expect, test } from 'vitest';
import { type Column, cut, tablePrinter } from '../../src/cli/table.ts';
import { nearNames } from '../../src/config/near.ts';

const columns: Column<[string, number]>[] = [
  { heading: 'NAME', cell: ([name]) => name, flexible: true },
  { heading: 'N', cell: ([, number]) => number },
];

describe('a table', () => {
  test('is aligned, with numbers to the right, even with wide and combining letters', () => {
    const lines = tablePrinter(columns, undefined);
    expect(
      lines([
        ['a', 5],
        ['日本', 12],
        ['e\u0301', 100],
      ]),
    ).toEqual(['NAME    N', 'a       5', '日本   12', 'e\u0301     100']);
  });

  test('prints one heading for all pages', () => {
    const lines = tablePrinter(columns, undefined);
    expect(lines([])).toEqual([]);
    expect(lines([['a', 1]])).toEqual(['NAME  N', 'a     1']);
    expect(lines([['a longer one', 2]])).toEqual(['a longer one  2']);
    expect(lines([['b', 3]])).toEqual(['b             3']);
  });

  test('shrinks flexible columns in a narrow terminal', () => {
    const lines = tablePrinter(columns, 24);
    expect(lines([['x'.repeat(40), 7]]).map((line) => line.length)).toEqual([24, 24]);
    const [, line] = tablePrinter(columns, 4)([['x'.repeat(40), 7]]);
    expect(line).toBe(`${'x'.repeat(11)}…  7`);
  });

  test('truncates by display width', () => {
    expect(cut('日本語', 6)).toBe('日本語');
    expect(cut('日本語', 5)).toBe('日本…');
  });
});

test('similar names are suggested for a mistyped one, the likeliest first', () => {
  const names = ['config', 'notification', 'notification-create', 'task'];
  expect(nearNames('confg', names)).toEqual(['config']);
  expect(nearNames('notificaton', names)).toEqual(['notification']);
  expect(nearNames('create', names)).toEqual(['notification-create']);
  expect(nearNames('zzzzzz', names)).toEqual([]);
});
