import { type Connection, inTransaction } from './index-file.ts';
import type { Hit } from './search-index.ts';

/** Turns texts into vectors that are close to each other if the texts mean the same. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  model: string;
  embed(texts: string[]): Promise<Float32Array[]>;
}

const BATCH = 64;

const MISSING = `
select passages.rowid as id from passages join files on files.document = passages.document and files.root = ?
where passages.rowid not in (select passage from vectors where model = ?)`;

const VECTORS = `
select passages.rowid as id, files.path, title, heading, body as text, first_line as first, last_line as last, vector
from vectors join passages on passages.rowid = vectors.passage
  join files on files.document = passages.document and files.root = ?
where model = ?`;

/** Stores a vector for each passage of a checkout that has none from this model yet. */
export async function embedPassages(
  connection: Connection,
  root: string,
  embedder: Embedder,
  tell: (progress: string) => void,
): Promise<void> {
  const rows = connection.prepare(MISSING).all(root, embedder.model) as unknown as { id: number }[];
  const ids = [...new Set(rows.map(({ id }) => id))];
  const read = connection.prepare('select title, heading, body from passages where rowid = ?');
  const insert = connection.prepare(
    'insert or ignore into vectors (passage, model, vector) values (?, ?, ?)',
  );
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const texts = batch.map((id) => Object.values(read.get(id) ?? {}).join('\n'));
    tell(`Embedding passage ${start + 1} of ${ids.length}`);
    const vectors = await embedder.embed(texts);
    inTransaction(connection, () => {
      batch.forEach((id, index) => {
        const { buffer, byteOffset, byteLength } = vectors[index] ?? new Float32Array();
        insert.run(id, embedder.model, new Uint8Array(buffer, byteOffset, byteLength));
      });
    });
  }
}

/** The passages whose vectors are closest to that of the phrase. */
export async function searchVectors(
  connection: Connection,
  root: string,
  phrase: string,
  embedder: Embedder,
  limit: number,
): Promise<Hit[]> {
  const [query] = await embedder.embed([phrase]);
  const best: Hit[] = [];
  if (!query) return best;
  for (const row of connection.prepare(VECTORS).iterate(root, embedder.model)) {
    const { vector, ...hit } = row as unknown as Hit & { vector: Uint8Array };
    const score = cosine(query, floatsOf(vector));
    if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
    const place = best.findIndex((other) => other.score < score);
    best.splice(place < 0 ? best.length : place, 0, { ...hit, score });
    if (best.length > limit) best.pop();
  }
  return best;
}

function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let [dot, left, right] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return dot / (Math.sqrt(left * right) || 1);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
