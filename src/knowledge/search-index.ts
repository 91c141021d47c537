import type { Connection } from './index-file.ts';
import type { Passage } from './passage.ts';
import { matchExpression, wordsOf } from './query.ts';
import { relatedWords } from './related-words.ts';

export interface Hit extends Passage {
  /** In the index. */
  id: number;
  path: string;
  score: number;
}

/** What a word counts for in the title, the heading and the body. */
const WEIGHTS = [1, 4, 1];
/** What a related word counts for beside the phrase's own: see `npm run bench -- knowledge`. */
const RELATED = 0.2;
/** How far down both rankings are looked before they are put together. */
const DEPTH = 200;

const SEARCH = `
select passages.rowid as id, -bm25(passages, ${WEIGHTS.join(', ')}) as score
from passages join files on files.document = passages.document and files.root = ?
where passages match ? order by score desc, id limit ${DEPTH}`;

const READ = `
select files.path, title, heading, body as text, first_line as first, last_line as last
from passages join files on files.document = passages.document and files.root = ?
where passages.rowid = ? order by files.path limit 1`;

/** The passages of a checkout that fit a phrase, the best first. */
export function searchIndex(connection: Connection, root: string, phrase: string, limit: number): Hit[] {
  const words = wordsOf(phrase);
  const scores = new Map<number, number>();
  for (const [terms, weight] of [[words, 1] as const, [relatedWords(words), RELATED] as const]) {
    if (terms.length === 0) continue;
    const rows = connection.prepare(SEARCH).all(root, matchExpression(terms)) as unknown as Scored[];
    // The same document may be there under two names.
    for (const [id, score] of new Map(rows.map((row) => [row.id, row.score]))) {
      scores.set(id, (scores.get(id) ?? 0) + weight * score);
    }
  }
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
  const read = connection.prepare(READ);
  return best.map(([id, score]) => ({
    ...(read.get(root, id) as unknown as Passage & { path: string }),
    id,
    score,
  }));
}

type Scored = Pick<Hit, 'id' | 'score'>;
