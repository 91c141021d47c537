import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  isParaphrase,
  labelled,
  meanReciprocalRank,
  rankOf,
  setNames,
  staleLabels,
} from '../../bench/knowledge/labelled.ts';
import { openIndexFile } from '../../src/knowledge/index-file.ts';
import { searchDocuments } from '../../src/knowledge/search-documents.ts';
import { freshFolder } from '../support/fermata.ts';

type Index = ReturnType<typeof openIndexFile>;

/** By folder: reading all documents takes longer than all searches, and some sets have the same ones. */
const indexes = new Map<string, Index>();
afterAll(() => {
  for (const index of indexes.values()) index.close();
});

function indexOf({ root }: { root: string }): Index {
  const index = indexes.get(root) ?? openIndexFile(join(freshFolder(), 'index.db'));
  indexes.set(root, index);
  return index;
}

it.each(setNames)('SEED-11 every phrase of the bench (%s) names a passage that exists', async (name) => {
  const { documents, labels } = labelled(name);
  const index = indexOf(documents);
  await searchDocuments(index, documents, 'anything', { limit: 1 });
  const passages = index.prepare('select path, heading from passages join files using (document)').all();
  expect(staleLabels(labels, passages as { path: string; heading: string }[])).toEqual([]);
});

it.each(['dev', 'test'] as const)('SEED-11 the phrases (%s) find the passage that is meant', async (name) => {
  const { documents, labels } = labelled(name);
  const index = indexOf(documents);
  const ranks: number[] = [];
  for (const label of labels) {
    const { hits } = await searchDocuments(index, documents, label.phrase, { limit: 100 });
    ranks.push(rankOf(label, hits));
  }
  expect(meanReciprocalRank(ranks)).toBeGreaterThanOrEqual(0.75);
});

it('SEED-11 at least half of the phrases are paraphrases', () => {
  const all = setNames.flatMap((name) => labelled(name).labels);
  expect(all.filter(isParaphrase).length).toBeGreaterThanOrEqual(all.length / 2);
});
