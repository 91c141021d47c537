import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSection, sectionsOf, withSection } from '../../src/plan/prd.ts';
import { lineDiff } from '../../src/schema/line-diff.ts';
import { cpuTime } from '../support/cpu-time.ts';

const PRD = `# Shop

Preface.

## Goals

Sell.

\`\`\`md
## No heading
\`\`\`

## Data Model ##

Tables.
`;

describe('the sections of a PRD', () => {
  it('CLI-prd are the headings of the second level, outside of code', () => {
    expect(sectionsOf(PRD).map(({ key, title }) => [key, title])).toEqual([
      ['goals', 'Goals'],
      ['data-model', 'Data Model'],
    ]);
    expect(findSection(PRD, 'data model')?.content).toBe('Tables.');
    expect(findSection(PRD, 'No heading')).toBeUndefined();
  });

  it('CLI-prd can be changed one at a time, and every other line stays', () => {
    const changed = withSection(PRD, 'goals', '## Goals\n\nSell more.\n\n# Why\n');
    expect(changed).toBe(
      '# Shop\n\nPreface.\n\n## Goals\n\nSell more.\n\n### Why\n\n## Data Model ##\n\nTables.\n',
    );
    expect(lineDiff(PRD, changed).filter((line) => /^[-+]/.test(line))).toEqual([
      '-Sell.',
      '+Sell more.',
      '-```md',
      '-## No heading',
      '-```',
      '+### Why',
    ]);
  });

  it('CLI-prd are added at the end if missing, even to an empty file; line endings stay', () => {
    expect(withSection('', 'Goals', 'Sell.')).toBe('# Product Requirements\n\n## Goals\n\nSell.\n');
    expect(withSection('# A\r\n\r\n## B\r\n\r\nx\r\n', 'C', 'y\nz')).toBe(
      '# A\r\n\r\n## B\r\n\r\nx\r\n\r\n## C\r\n\r\ny\r\nz\r\n',
    );
    expect(withSection('# A\r\n\r\n## B\r\n\r\nx\r\n', 'b', 'y')).toBe('# A\r\n\r\n## B\r\n\r\ny\r\n');
  });
});

describe('a section of spaces', () => {
  it('CLI-prd takes no longer than any other', () => {
    const blanks = `## a${' '.repeat(100_000)}b`;
    expect(
      cpuTime(() => withSection(`${blanks}\n\nx\n`, 'Goals', `# a${' '.repeat(100_000)}b\n${blanks}`)),
    ).toBeLessThan(2000);
  });
});

describe('a difference', () => {
  it('CLI-prd shows what changed with a few lines around it', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = before.toSpliced(10, 1, 'new').toSpliced(2, 1);
    expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual([
      ' line 0',
      ' line 1',
      '-line 2',
      ' line 3',
      ' line 4',
      ' line 5',
      '…',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      '…',
    ]);
    expect(lineDiff('a\nb', 'a\nb')).toEqual([]);
  });

  it('CLI-prd reproduces both texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = lineDiff(before, after);
        if (before === after || diff.includes('…')) return;
        const side = (mark: string) =>
          diff.filter((line) => line.startsWith(' ') || line.startsWith(mark)).map((line) => line.slice(1));
        const holds = (whole: string, part: string[]) =>
          `\n${whole}\n`.includes(`\n${part.join('\n')}\n`) || part.length === 0;
        expect(holds(before, side('-'))).toBe(true);
        expect(holds(after, side('+'))).toBe(true);
      }),
    );
  });

  it('CLI-prd of large texts is fast', () => {
    const text = (mark: string) => Array.from({ length: 5000 }, (_, index) => `${mark}${index}`).join('\n');
    expect(lineDiff(text('a'), text('b'))).toHaveLength(10_000);
  });
});
