// `npm run bench -- knowledge`: how often a phrase in plain words finds the passage that answers it, beside counting words,
// and how long 100,000 passages take. `--list` names the phrases whose passage is not among the first five.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openIndexFile, searchDocuments } from '../dist/index.js';
import { naiveSearch } from './knowledge/naive-search.mjs';
import { isOver, table } from './support/budget.mjs';
import { timed } from './support/measure.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SETS = {
  sample: { root: join(ROOT, 'bench/knowledge/sample'), wanted: () => true, hits: 0.75 },
  // Phrases that were written after the rules were made, by the same hand and for the same documents.
  later: { root: join(ROOT, 'bench/knowledge/sample'), wanted: () => true, hits: 0.85 },
  // It grows, and so do the passages that a phrase could mean.
  own: { root: ROOT, wanted: (path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path), hits: 0.6 },
};
const labelled = JSON.parse(readFileSync(new URL('./knowledge/labelled.json', import.meta.url), 'utf8'));

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
try {
  const figures = [];
  for (const name of Object.keys(SETS)) figures.push(...(await quality(name)));
  figures.push(...(await speed(100_000)));
  process.exitCode = figures.some(isOver) ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}

async function quality(name) {
  const { root, wanted, hits } = SETS[name];
  const index = openIndexFile(join(place, `${name}.db`));
  const documents = { root, paths: filesIn(root).filter(wanted) };
  const rankings = { ours: [], naive: [] };
  for (const { phrase } of labelled[name]) {
    rankings.ours.push((await searchDocuments(index, documents, phrase, { limit: 100 })).hits);
  }
  const all = index
    .prepare('select path, title, heading, body as text from passages join files using (document)')
    .all();
  refuseStale(name, all);
  for (const { phrase } of labelled[name]) rankings.naive.push(naiveSearch(all, phrase));
  index.close();
  const columns = Object.fromEntries(
    Object.entries(rankings).map(([who, ranking]) => [who, judged(labelled[name], ranking, hits)]),
  );
  console.log(
    `\n${name}: ${labelled[name].length} phrases, ${documents.paths.length} documents, ${all.length} passages`,
  );
  console.log(table(columns));
  if (process.argv.includes('--list')) list(labelled[name], rankings.ours);
  return columns.ours;
}

/** A label that names no passage any more says nothing. */
function refuseStale(name, passages) {
  const stale = labelled[name].filter((label) => !passages.some((passage) => fits(label, passage)));
  if (stale.length > 0) throw new Error(`No such passage in ${name}: ${JSON.stringify(stale, null, 2)}`);
}

function judged(labels, rankings, hits) {
  const places = labels.map((label, index) => placeOf(label, rankings[index]));
  const share = (most) => places.filter((at) => at <= most).length / places.length;
  return [
    { what: 'MRR', value: places.reduce((sum, at) => sum + 1 / at, 0) / places.length, unit: '' },
    { what: 'hit@1', value: share(1), unit: '' },
    { what: 'hit@5', value: share(5), unit: '', atLeast: hits },
  ];
}

function placeOf(label, ranking) {
  const at = ranking.findIndex((hit) => fits(label, hit));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

function fits({ file, heading }, hit) {
  return hit.path === file && hit.heading.split(' › ').at(-1) === heading;
}

function list(labels, rankings) {
  labels.forEach((label, index) => {
    const at = placeOf(label, rankings[index]);
    if (at <= 5) return;
    const [first] = rankings[index];
    console.log(
      `  ${at}. ${label.phrase}\n     wanted ${label.file} ${label.heading}; first is ${first?.path} ${first?.heading}`,
    );
  });
}

/** Words with a natural spread, so that some are in most passages and many in few. */
async function speed(count) {
  const root = join(place, 'many');
  mkdirSync(root);
  const words = Array.from({ length: 5000 }, (_, n) => `w${n.toString(36)}x`);
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
  const phrase = () => Array.from({ length: 6 }, word).join(' ');
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

function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\.git|dist/.test(entry.parentPath.slice(root.length)))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));
}
