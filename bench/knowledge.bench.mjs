// `npm run bench -- knowledge`: how often a phrase in plain words finds the passage that answers it, beside counting words,
// and how long 100,000 passages take. `--list` names the phrases whose passage is not among the first five.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isParaphrase,
  labelled,
  meanReciprocalRank,
  rankOf,
  setNames,
  staleLabels,
} from './knowledge/labelled.mjs';
import { naiveSearch } from './knowledge/naive-search.mjs';
import { isOver, table } from './support/budget.mjs';
import { loadSource } from './support/load-source.mjs';
import { timed } from './support/measure.mjs';

const { openIndexFile, searchDocuments } = await loadSource({
  openIndexFile: 'knowledge/index-file.ts',
  searchDocuments: 'knowledge/search-documents.ts',
});

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HELD_OUT = ['test', 'held out'];

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
try {
  const figures = [];
  for (const name of setNames) figures.push(...(await quality(name)));
  if (!process.argv.includes('--no-speed')) figures.push(...(await speed(100_000)));
  process.exitCode = figures.some(isOver) ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function quality(name) {
  const { documents, labels, mrr } = labelled(name);
  const index = openIndexFile(join(place, `${name}.db`));
  const rankings = { ours: [], naive: [] };
  for (const { phrase } of labels) {
    rankings.ours.push((await searchDocuments(index, documents, phrase, { limit: 100 })).hits);
  }
  const all = index
    .prepare('select path, title, heading, body as text from passages join files using (document)')
    .all();
  const stale = staleLabels(labels, all);
  if (stale.length > 0) throw new Error(`No such passage in ${name}: ${JSON.stringify(stale, null, 2)}`);
  for (const { phrase } of labels) rankings.naive.push(naiveSearch(all, phrase));
  index.close();
  const columns = Object.fromEntries(
    Object.entries(rankings).map(([who, ranking]) => [who, judged(labels, ranking, mrr)]),
  );
  const paraphrases = labels.filter(isParaphrase).length;
  console.log(
    `\n${name}: ${labels.length} phrases, ${paraphrases} of them paraphrases; ${documents.paths.length} documents, ${all.length} passages`,
  );
  console.log(table(columns));
  if (process.argv.includes('--list') && !HELD_OUT.includes(name)) list(labels, rankings.ours);
  return columns.ours;
}

function judged(labels, rankings, mrr) {
  const ranks = labels.map((label, index) => rankOf(label, rankings[index]));
  const share = (most) => ranks.filter((rank) => rank <= most).length / ranks.length;
  return [
    { what: 'MRR', value: meanReciprocalRank(ranks), unit: '', atLeast: mrr },
    { what: 'hit@1', value: share(1), unit: '' },
    { what: 'hit@5', value: share(5), unit: '' },
  ];
}

function list(labels, rankings) {
  labels.forEach((label, index) => {
    const rank = rankOf(label, rankings[index]);
    if (rank <= 5) return;
    const [first] = rankings[index];
    console.log(
      `  ${rank}. ${label.phrase}\n     wanted ${label.file} ${label.heading}; first is ${first?.path} ${first?.heading}`,
    );
  });
}

/** Words with a natural spread, so that some are in most passages and many in few; the phrases have synonyms. */
async function speed(count) {
  const root = join(place, 'many');
  mkdirSync(root);
  const source = readFileSync(join(ROOT, 'src/knowledge/synonyms.ts'), 'utf8');
  const known = [...new Set(source.split('`')[1].trim().split(/\s+/))];
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
