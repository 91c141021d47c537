import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  isParaphrase,
  labelled,
  meanReciprocalRank,
  rankOf,
  setNames,
  staleLabels,
} from '../../bench/knowledge/labelled.mjs';
import { openIndexFile } from '../../src/knowledge/index-file.ts';
import { searchDocuments } from '../../src/knowledge/search-documents.ts';
import { freshFolder } from '../support/fermata.ts';

function openIndex() {
  const index = openIndexFile(join(freshFolder(), 'index.db'));
  onTestFinished(() => index.close());
  return index;
}

it.each(setNames)('SEED-11 every phrase of the bench (%s) names a passage that exists', async (name) => {
  const { documents, labels } = labelled(name);
  const index = openIndex();
  await searchDocuments(index, documents, 'anything', { limit: 1 });
  const passages = index.prepare('select path, heading from passages join files using (document)').all();
  expect(staleLabels(labels, passages as { path: string; heading: string }[])).toEqual([]);
});

it.each(['dev', 'test'])('SEED-11 the phrases (%s) find the passage that is meant', async (name) => {
  const { documents, labels } = labelled(name);
  const index = openIndex();
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
