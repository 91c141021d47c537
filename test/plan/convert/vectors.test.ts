import { expect, test } from 'vitest';
import { readFileBlocks } from '../../../src/plan/file-blocks.ts';
import vectors from './vectors/convert.json' with { type: 'json' };

test.each(vectors.blocks)('CONV-2 $name', ({ answer, files, problems }) => {
  const read = readFileBlocks(answer);
  expect(Object.fromEntries(read.files.map(({ name, content }) => [name, content.trimEnd()]))).toEqual(files);
  expect(read.problems.map(({ code }) => code)).toEqual(problems ?? []);
});
