// `npm run bench -- knowledge`: how often a phrase in plain words finds the passage that answers it, beside counting words,
// and how long 100,000 passages take. `--list` names the phrases whose passage is not among the first five.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexFile } from '../src/knowledge/index-file.ts';
import { searchDocuments } from '../src/knowledge/search-documents.ts';
import synonyms from '../src/knowledge/synonyms.txt';
import {
  isParaphrase,
  type Label,
  labelled,
  meanReciprocalRank,
  rankOf,
  setNames,
  staleLabels,
} from './knowledge/labelled.ts';
import { naiveSearch } from './knowledge/naive-search.ts';
import { type Figure, judge, size, table } from './support/budget.ts';
import { timed } from './support/measure.ts';

type Passage = Awaited<ReturnType<typeof searchDocuments>>['hits'][number];

const HELD_OUT = ['test', 'held out'];

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
try {
  const figures: Figure[] = [];
  for (const name of setNames.slice(0, size(setNames.length, 1))) figures.push(...(await quality(name)));
  judge([...figures, ...(await speed(size(100_000, 100)))]);
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function quality(name: (typeof setNames)[number]): Promise<Figure[]> {
  const { documents, labels, mrr } = labelled(name);
  const index = openIndexFile(join(place, `${name}.db`));
  const rankings: { ours: Passage[][]; naive: { path: string; heading: string }[][] } = {
    ours: [],
    naive: [],
  };
  for (const { phrase } of labels) {
    rankings.ours.push((await searchDocuments(index, documents, phrase, { limit: 100 })).hits);
  }
  const all = index
    .prepare('select path, title, heading, body as text from passages join files using (document)')
    .all() as { path: string; title: string; heading: string; text: string }[];
  const stale = staleLabels(labels, all);
  if (stale.length > 0) throw new Error(`No such passage in ${name}: ${JSON.stringify(stale, null, 2)}`);
  for (const { phrase } of labels) rankings.naive.push(naiveSearch(all, phrase));
  index.close();
  const columns = {
    ours: judged(labels, rankings.ours, mrr),
    naive: judged(labels, rankings.naive, mrr),
  };
  const paraphrases = labels.filter(isParaphrase).length;
  console.log(
    `\n${name}: ${labels.length} phrases, ${paraphrases} of them paraphrases; ${documents.paths.length} documents, ${all.length} passages`,
  );
  console.log(table(columns));
  if (process.argv.includes('--list') && !HELD_OUT.includes(name)) list(labels, rankings.ours);
  return columns.ours;
}

function judged(
  labels: readonly Label[],
  rankings: readonly { path: string; heading: string }[][],
  mrr: number,
): Figure[] {
  const ranks = labels.map((label, index) => rankOf(label, rankings[index] ?? []));
  const share = (most: number) => ranks.filter((rank) => rank <= most).length / ranks.length;
  return [
    { what: 'MRR', value: meanReciprocalRank(ranks), unit: '', atLeast: mrr },
    { what: 'hit@1', value: share(1), unit: '' },
    { what: 'hit@5', value: share(5), unit: '' },
  ];
}

function list(labels: readonly Label[], rankings: readonly Passage[][]): void {
  labels.forEach((label, index) => {
    const hits = rankings[index] ?? [];
    const rank = rankOf(label, hits);
    if (rank <= 5) return;
    const [first] = hits;
    console.log(
      `  ${rank}. ${label.phrase}\n     wanted ${label.file} ${label.heading}; first is ${first?.path} ${first?.heading}`,
    );
  });
}

/** Words with a natural spread, so that some are in most passages and many in few; the phrases have synonyms. */
async function speed(count: number): Promise<Figure[]> {
  const root = join(place, 'many');
  mkdirSync(root);
  const known = [...new Set(synonyms.trim().split(/\s+/))];
  const made = Array.from({ length: 5000 - known.length }, (_, n) => `w${n.toString(36)}x`);
  const words = [...made.slice(0, 500), ...known, ...made.slice(500)];
  const word = () => words[Math.floor(words.length * Math.random() ** 3)];
  const paths = Array.from({ length: count / 20 }, (_, n) => `document-${n}.md`);
  for (const path of paths) {
    const sections = Array.from(
      { length: 20 },
      () => `## ${word()} ${word()}\n\n${Array.from({ length: 60 }, word).join(' ')}\n`,
    );
    writeFileSync(join(root, path), sections.join('\n'));
  }
  const index = openIndexFile(join(place, 'many.db'));
  const phrase = () =>
    Array.from({ length: 6 }, () => known[Math.floor(known.length * Math.random())]).join(' ');
  const start = performance.now();
  await searchDocuments(index, { root, paths }, phrase(), { limit: 8 });
  const first = (performance.now() - start) / 1000;
  const again = await timed(() => searchDocuments(index, { root, paths }, phrase(), { limit: 8 }), {
    rounds: 2,
    calls: 10,
  });
  index.close();
  const figures = [
    { what: `${count} passages: indexed and searched`, value: first, unit: 's', atMost: 20 },
    { what: `searched again, ${paths.length} files looked at`, value: again, unit: 'ms', atMost: 500 },
  ];
  console.log(`\n${table({ ours: figures })}`);
  return figures;
}
