import type { Document, Piece } from './parts.ts';

export interface Sentence {
  /** Masked; see mask.ts. */
  text: string;
  at: number;
  piece: Piece;
}

const MAX_LENGTH = 600;
/** No issue on GitHub has more sentences. If a text does, such as one with a pasted log, its middle does not count. */
const MAX = 2000;
const end = /(?<![.!?…])[.!?…]+["')\]]*(?=\s|$)|[。！？]+/g;

/** The sentences that a person wrote, without placeholders. A very long one is cut into several. */
export function sentencesOf({ pieces }: Document): Sentence[] {
  const sentences: Sentence[] = [];
  for (const piece of pieces) {
    if (piece.placeholder) continue;
    for (const { text, at } of split(piece.text)) {
      sentences.push({ text, at: piece.at + at, piece });
    }
  }
  if (sentences.length > MAX) sentences.splice(MAX / 2, sentences.length - MAX);
  return sentences;
}

function* split(text: string): Generator<{ text: string; at: number }> {
  let start = 0;
  for (const match of text.matchAll(end)) {
    yield* cut(text.slice(start, match.index + match[0].length), start);
    start = match.index + match[0].length;
  }
  yield* cut(text.slice(start), start);
}

function* cut(text: string, start: number): Generator<{ text: string; at: number }> {
  const trimmed = text.trimStart();
  const from = text.length - trimmed.length;
  const whole = trimmed.trimEnd();
  for (let at = 0; at < whole.length; at += MAX_LENGTH)
    yield { text: whole.slice(at, at + MAX_LENGTH), at: start + from + at };
}
