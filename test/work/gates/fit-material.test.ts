import { expect, it } from 'vitest';
import { limits } from '../../../src/schema/limits.ts';
import { fitMaterial } from '../../../src/work/gates/fit-material.ts';

const diff = (text: string) => ({
  kind: 'diff' as const,
  title: 'Changes',
  text,
  whole: 'Read all of it: git diff',
});

it('material that fits is shown unchanged (BIND-11)', () => {
  expect(fitMaterial([diff('+a\x1b')])).toEqual([{ kind: 'diff', title: 'Changes', text: '+a\x1b' }]);
});

it('material that does not fit says so in its first line, with its size and where the rest is (BIND-11)', () => {
  const [piece] = fitMaterial([diff('x'.repeat(300_000))]);
  expect(piece?.text.split('\n')[0]).toBe(
    'INCOMPLETE: these are the first 200,000 of 300,000 characters. Read all of it: git diff',
  );
});

it('all of it fits into one notification, whatever it contains (BIND-11)', () => {
  const pieces = fitMaterial(Array.from({ length: 150 }, () => diff('\x1b'.repeat(100_000))));
  expect(pieces.length).toBeLessThanOrEqual(limits.material);
  expect(pieces.at(-1)?.title).toBe('NOT SHOWN: 51 more');
  expect(Buffer.byteLength(JSON.stringify(pieces))).toBeLessThan(limits.materialBytes);
});
