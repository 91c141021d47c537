import type { Document } from './parts.ts';

/** Marks headings that are followed only by placeholders. */
export function markEmptySections({ sections, pieces, fences, images, text }: Document): void {
  const filled = [
    ...pieces.filter((piece) => !piece.placeholder).map(({ at }) => at),
    ...fences.filter(({ kind }) => kind !== 'empty').map(({ at }) => at),
    ...images.map(({ at }) => at),
  ].sort((a, b) => a - b);
  let next = 0;
  sections.forEach((section, index) => {
    const following = sections[index + 1];
    const end = following?.at ?? text.length + 1;
    while (next < filled.length && (filled[next] ?? 0) < section.at) next += 1;
    const nothingHere = (filled[next] ?? Number.POSITIVE_INFINITY) >= end;
    section.empty = nothingHere && !(following !== undefined && following.level > section.level);
  });
}
