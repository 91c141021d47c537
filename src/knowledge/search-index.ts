import type { Connection } from './index-file.ts';
import { type Candidate, type Ranked, rank, type SearchTerm } from './rank.ts';
import type { Passage } from './split-passages.ts';
import synonyms from './synonyms.txt';
import { isTelling, matchExpression, stem, wordsOf } from './terms.ts';

export interface Hit extends Passage {
  /** Its id in the index. */
  id: number;
  path: string;
  score: number;
}

/** What a synonym, a longer word and a word of the best passages count for: see `npm run bench -- knowledge`. */
const SYNONYM = 0.6;
const LONGER = 0.5;
const FEEDBACK = 0.2;
/** How many of the best passages to take words from, and how many words. */
const BEST = 3;
const FEEDBACK_WORDS = 8;
/** How many passages are ranked. */
const CANDIDATES = 300;
/** A word that occurs in more passages than this is slow and does not help to tell them apart. */
const COMMON = 5000;

const FIND = `
select found.id, (select min(path) from files where files.document = passages.document and root = ?1) as path,
  title, heading, body as text, first_line as first, last_line as last
from (
  select rowid as id from passages
  where passages match ?2 and exists (select 1 from files where files.document = passages.document and root = ?1)
  order by bm25(passages, 1, 5, 1, 1) limit ${CANDIDATES}
) as found join passages on passages.rowid = found.id`;

const COUNT = `select count(*) as count from (select 1 from passages where passages match ? limit ${COMMON + 1})`;

/** The search terms: as the index matches them, and as passages are ranked. */
interface Wanted extends SearchTerm {
  match: string;
}

/** The passages of a checkout that match a phrase, the best first. */
export function searchIndex(
  connection: Connection,
  root: string,
  phrase: string,
  limit: number,
  related: Thesaurus = thesaurus(),
): Hit[] {
  const frequency = frequencies(connection);
  const words = tellingWords(wordsOf(phrase), frequency).map((word) => wanted(word, related, frequency));
  const first = find(connection, root, words);
  const together = feedback(first).map((term) => fedBack(term, frequency));
  return find(connection, root, [...words, ...together])
    .slice(0, limit)
    .map(({ terms, ...hit }) => hit);
}

function find(connection: Connection, root: string, wanted: readonly Wanted[]): (Hit & Ranked)[] {
  if (wanted.length === 0) return [];
  const expression = wanted.map(({ match }) => match).join(' OR ');
  const rows = connection.prepare(FIND).all(root, expression) as unknown as Candidate[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rank(wanted, rows).map((ranked) => ({ ...(byId.get(ranked.id) as Candidate), ...ranked }));
}

/** How many passages contain a word, and how much weight that gives it. */
interface Frequencies {
  count(expression: string): number;
  rarity(count: number): number;
}

function frequencies(connection: Connection): Frequencies {
  const count = connection.prepare(COUNT);
  const size = Number(connection.prepare('select max(rowid) as size from passages').get()?.size ?? 0);
  const known = new Map<string, number>();
  return {
    count: (expression) => {
      const number = known.get(expression) ?? Number(count.get(expression)?.count);
      known.set(expression, number);
      return number;
    },
    rarity: (number) => Math.log(1 + (Math.max(size, number) - number + 0.5) / (number + 0.5)),
  };
}

/** The words without very common ones, unless there are no others. */
function tellingWords(words: string[], { count }: Frequencies): string[] {
  const rare = words.filter((word) => count(matchExpression([word])) <= COMMON);
  return rare.length > 0 ? rare : words.slice(0, 2);
}

function wanted(word: string, related: Thesaurus, { count, rarity }: Frequencies): Wanted {
  const written = matchExpression([word]);
  const rare = rarity(count(written));
  const synonyms = affordable(related(word), count, COMMON - count(written));
  const worth = new Map(
    synonyms.map(({ word: other, count: number }) => [stem(other), SYNONYM * rarity(number)]),
  );
  worth.set(stem(word), rare);
  return {
    share: 1,
    worth,
    ...(word.length >= 4 ? { beginning: { text: stem(word), worth: LONGER * rare } } : {}),
    match: [written, ...synonyms.map(({ word: other }) => `"${other}"`)].join(' OR '),
  };
}

/** The rarest synonyms, until they occur in too many passages. */
function affordable(words: string[], count: Frequencies['count'], most: number) {
  let left = most;
  return words
    .map((word) => ({ word, count: count(`"${word}"`) }))
    .filter((each) => each.count > 0)
    .sort((a, b) => a.count - b.count)
    .filter((each) => {
      left -= each.count;
      return left >= 0;
    });
}

/** The words that most distinguish the best passages from the others; documents use them together with the phrase's words. */
function feedback(ranked: readonly Ranked[]): string[] {
  const passages = new Map<string, number>();
  for (const { terms } of ranked) for (const term of terms) passages.set(term, (passages.get(term) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const { terms, score } of ranked.slice(0, BEST)) {
    for (const term of terms) {
      const rarity = Math.log(1 + ranked.length / (passages.get(term) ?? 1));
      if (isTelling(term)) weights.set(term, (weights.get(term) ?? 0) + score * rarity);
    }
  }
  const terms = [...weights].sort(([, a], [, b]) => b - a).map(([term]) => term);
  return terms.slice(0, FEEDBACK_WORDS);
}

function fedBack(term: string, { count, rarity }: Frequencies): Wanted {
  const match = `"${term}"`;
  return { share: FEEDBACK, worth: new Map([[term, rarity(count(match))]]), match };
}

/** Finds synonyms of a word. */
type Thesaurus = (word: string) => string[];

/**
 * Our table of synonyms, one group of words per line, together with the project's own groups. A word may be in several
 * groups.
 */
export function thesaurus(own: readonly (readonly string[])[] = []): Thesaurus {
  const table = [
    ...own,
    ...synonyms
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  ];
  const groups = new Map<string, string[]>();
  for (const group of table) {
    const words = group.map((word) => word.toLowerCase());
    for (const stemmed of new Set(words.map(stem)))
      groups.set(stemmed, [...(groups.get(stemmed) ?? []), ...words]);
  }
  return (word) => {
    const others = (groups.get(stem(word)) ?? []).filter((other) => stem(other) !== stem(word));
    return [...new Set(others)];
  };
}
