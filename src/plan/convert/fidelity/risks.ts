import type { FactRule } from './fact.ts';
import { stems } from './plan-text.ts';
import type { SourceLine } from './source-lines.ts';

/** A line of the plan with this share of a risk's words is the same risk in other words. */
const ENOUGH = 0.5;

/** The risks in the source: items and rows under a heading about risks, or a line that begins with the word. */
export const risks: FactRule = {
  kind: 'risk',
  *find(lines) {
    for (const [index, line] of lines.entries()) {
      const text = riskOf(line, lines[index + 1]);
      if (text && stems(text).length >= 2) yield { text: text.trim().slice(0, 200), line: line.line };
    }
  },
  isKept(text, { linesOf }) {
    const wanted = [...new Set(stems(text))];
    const counts = new Map<number, number>();
    for (const stem of wanted)
      for (const line of linesOf.get(stem) ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
    return Math.max(0, ...counts.values()) >= wanted.length * ENOUGH;
  },
};

function riskOf({ text, kind, headings }: SourceLine, next: SourceLine | undefined): string | undefined {
  if (kind !== 'prose') return undefined;
  const named = /^\W*risks?\W*(?<=[:–—-]\W*)(?!\W)(.+)$/i.exec(text)?.[1];
  if (named) return named;
  if (!headings.some((heading) => /\brisks?\b/i.test(heading))) return undefined;
  const row = /^\s*\|(.+)\|\s*$/.exec(text)?.[1];
  if (row === undefined) return /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/i.exec(text)?.[1];
  const isFrame = /^[\s|:-]+$/.test(row) || /^\s*\|[\s|:-]+\|\s*$/.test(next?.text ?? '');
  return isFrame ? undefined : (row.split('|').find((cell) => stems(cell).length >= 2) ?? '');
}
