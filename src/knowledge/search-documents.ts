import type { Connection } from './index-file.ts';
import { type Hit, searchIndex, thesaurus } from './search-index.ts';
import { type Documents, type Update, updateIndex } from './update-index.ts';
import { type Embedder, embedPassages, searchVectors } from './vectors.ts';

export interface Search {
  hits: Hit[];
  update: Update;
  /** Whether the search also compared meaning, and if it should have but could not, why. */
  embedder: { state: 'none' | 'used' } | { state: 'failed'; problem: string };
}

export interface SearchOptions {
  limit: number;
  embedder?: Embedder | undefined;
  /** Groups of words that mean the same in this project, in addition to ours. */
  synonyms?: readonly (readonly string[])[] | undefined;
  /** Called with the progress of slow work. */
  tell?: (progress: string) => void;
}

/** How many places of each ranking are fused. */
const DEPTH = 100;

/** Searches the documents of a checkout with a phrase in plain words, after updating the index. */
export async function searchDocuments(
  connection: Connection,
  documents: Documents,
  phrase: string,
  { limit, embedder, synonyms, tell = () => undefined }: SearchOptions,
): Promise<Search> {
  const update = updateIndex(connection, documents, tell);
  const { root } = documents;
  const related = thesaurus(synonyms);
  if (!embedder) {
    const hits = searchIndex(connection, root, phrase, limit, related);
    return { hits, update, embedder: { state: 'none' } };
  }
  const byWords = searchIndex(connection, root, phrase, DEPTH, related);
  try {
    await embedPassages(connection, root, embedder, tell);
    const byMeaning = await searchVectors(connection, root, phrase, embedder, DEPTH);
    return { hits: fuse([byWords, byMeaning]).slice(0, limit), update, embedder: { state: 'used' } };
  } catch (error) {
    const problem = (error as Error).message;
    return { hits: byWords.slice(0, limit), update, embedder: { state: 'failed', problem } };
  }
}

/** How much lower places still count; this is the usual value for reciprocal rank fusion. */
const SMOOTHING = 60;

/** Fuses several rankings by place, because scores of different kinds cannot be compared. */
export function fuse(rankings: readonly Hit[][]): Hit[] {
  const found = new Map<number, Hit>();
  for (const ranking of rankings) {
    ranking.forEach((hit, place) => {
      const score = (found.get(hit.id)?.score ?? 0) + 1 / (SMOOTHING + place + 1);
      found.set(hit.id, { ...hit, score });
    });
  }
  return [...found.values()].sort((a, b) => b.score - a.score);
}
