import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ phrase: string, file: string, heading: string }} Label */
/** @typedef {{ path: string, heading: string }} Passage */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const inBench = (folder) => ({ root: join(ROOT, 'bench/knowledge', folder), wanted: (_path) => true });
/** The words of a heading that say nothing about its passage. */
const EMPTY = new Set(['the', 'and', 'are', 'not', 'off', 'out', 'your', 'too', 'many']);

/** Each set of phrases has documents, and the lowest mean reciprocal rank that we accept. */
const SETS = {
  tuned: { ...inBench('sample'), mrr: 0.75 },
  // These documents grow, and so does the number of passages that a phrase could mean.
  own: { root: ROOT, wanted: (path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path), mrr: 0.5 },
  // Half of the phrases use the words of the passage, half share none with it. We chose the weights with `dev`.
  dev: { ...inBench('packages'), mrr: 0.75 },
  // The bench never lists what these two miss. We saw their figures while we compared variants, so they are not blind.
  test: { ...inBench('packages'), mrr: 0.75 },
  'held out': { ...inBench('held-out'), mrr: 0.55 },
};

export const setNames = Object.keys(SETS);

/**
 * @param {string} name
 * @returns {{ documents: { root: string, paths: string[] }, labels: Label[], mrr: number }}
 */
export function labelled(name) {
  const { root, wanted, mrr } = SETS[name];
  const labels = JSON.parse(readFileSync(new URL('./labelled.json', import.meta.url), 'utf8'))[name];
  return { documents: { root, paths: filesIn(root).filter(wanted) }, labels, mrr };
}

/**
 * The labels whose passage is missing from these. They measure nothing.
 * @param {Label[]} labels
 * @param {Passage[]} passages
 */
export function staleLabels(labels, passages) {
  return labels.filter((label) => !passages.some((passage) => fits(label, passage)));
}

/**
 * Whether no word of the phrase is in the passage's heading, in any form.
 * @param {Label} label
 */
export function isParaphrase({ phrase, heading }) {
  const beginnings = (text) =>
    (text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []).map((word) => word.slice(0, 4));
  const said = new Set(beginnings(phrase));
  return beginnings(heading).every((word) => EMPTY.has(word) || !said.has(word));
}

/**
 * The rank of a label's passage among the hits, from 1.
 * @param {Label} label
 * @param {Passage[]} hits
 */
export function rankOf(label, hits) {
  const at = hits.findIndex((hit) => fits(label, hit));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

/** @param {number[]} ranks */
export function meanReciprocalRank(ranks) {
  return ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
}

function fits({ file, heading }, { path, heading: full }) {
  return path === file && full.split(' › ').at(-1) === heading;
}

function filesIn(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|\.git|dist/.test(entry.parentPath.slice(root.length)))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length));
}
