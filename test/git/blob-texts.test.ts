import { expect, it } from 'vitest';
import { BlobTexts, filesAt } from '../../src/git/tree-files.ts';
import { commit, freshPlace, initRepository } from '../work/support/repository.ts';

it('LED-10 texts of commits are read together, except those that are too large or missing', async () => {
  const folder = freshPlace();
  initRepository(folder);
  const large = (letter: string, megabytes: number) => letter.repeat(megabytes * 1024 * 1024);
  const tip = commit(folder, 'first', {
    'a.md': 'grün\n',
    'b.bin': large('b', 17),
    'c.bin': large('c', 5),
    'd.md': large('d', 4),
    'e.md': '',
    'f.md': 'last',
  });
  const files = await filesAt(folder, tip);
  const missing = { path: 'gone', mode: '100644', id: '1'.repeat(40) };
  const texts = new BlobTexts(folder);
  await texts.load([missing, ...files, undefined, files[0]]);
  expect(files.filter((file) => texts.isTooLarge(file)).map(({ path }) => path)).toEqual(['b.bin', 'c.bin']);
  const lengths = files.map((file) => texts.of(file).length);
  expect(lengths).toEqual([5, 0, 0, 4 * 1024 * 1024, 0, 4]);
  expect([texts.of(files[0]), texts.of(missing), texts.of(undefined)]).toEqual(['grün\n', '', '']);
});
