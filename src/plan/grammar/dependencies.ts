import type { Document } from '../../text/markdown.ts';
import { firstLink, plainText } from '../../text/markdown.ts';
import { type Field, plainFields, type TextField } from './fields.ts';
import { ID, readPhaseTitle } from './phase-id.ts';
import type { TextSpan, WrittenDependency } from './plan.ts';
import type { Sections, TextBlock } from './sections.ts';
import { spanOf } from './sections.ts';

/** A phase's dependencies: `**Depends On:**` and the matching lines of `## Dependencies`. */
export function readDependencies(
  document: Document,
  { texts, headings }: Sections,
  fields: TextField[],
): WrittenDependency[] {
  const found: WrittenDependency[] = [];
  const ids = new Set<string>();
  const take = (value: string, span: TextSpan, sure: boolean) => {
    for (const each of readValue(value, span, document)) {
      if (each.id !== null && ids.has(each.id)) continue;
      if (each.id !== null) ids.add(each.id);
      found.push({ ...each, sure: sure || each.id !== null });
    }
  };
  const seen = new Set<number>();
  for (const { name, value, span, text, section } of fields) {
    // In the tasks it refers to tasks.
    if (!isDependsOn(name) || section === 'tasks' || section === 'gates') continue;
    const sure = name === DEPENDS_ON;
    seen.add(text);
    take(value, span, sure);
    if (value === '')
      for (const item of listBelow(texts, text)) take(item.text, placeIn(document, item), sure);
  }
  if (headings.dependencies) {
    texts.forEach(({ block, section }, text) => {
      const value = section === 'dependencies' && !seen.has(text) ? explicitLine(block) : undefined;
      if (value !== undefined) take(value, placeIn(document, block), false);
    });
  }
  for (const { name, value, span } of plainFields(document, document.frontMatter))
    if (isDependsOn(name)) take(value.replace(/^\[(.*)\]$/, '$1'), span, true);
  return found;
}

/** A value may be a list below its name. */
function listBelow(texts: Sections['texts'], owner: number): TextBlock[] {
  const depth = texts[owner]?.block.depth ?? 0;
  const items: TextBlock[] = [];
  for (let index = owner + 1; index < texts.length; index++) {
    const block = texts[index]?.block;
    if (block?.kind !== 'item' || block.depth <= depth) break;
    items.push(block);
  }
  return items;
}

const DEPENDS_ON = 'depends on';

function isDependsOn(name: Field['name']): boolean {
  return name === DEPENDS_ON || name === 'dependencies' || name === 'dependency';
}

const label =
  /^(?:\[[ xX]\]\s*)?(?:\*\*)?(?:previous phases?|requires?|depends on|needs|after|blocked by|prerequisites?|predecessors?)(?:\*\*)?(?:\s*:\s*(?:\*\*)?\s*|\s+(?=\[?phases?\s+\d))/i;
const startsWithLink = /^(?:\[[ xX]\]\s*)?(?:\*\*)?\[[^\][]{1,200}\]\(/;
const startsWithPhase = new RegExp(
  `^(?:\\[[ xX]\\]\\s*)?[*\\[]{0,3}(?:phases?\\s+${ID}|${ID}(?=$|\\s*[,:;(–—]|\\s+-\\s))`,
  'i',
);

/** A line of the section counts if it begins with a phase, a link, or a word such as "Requires:". */
function explicitLine({ kind, text, depth }: TextBlock): string | undefined {
  if (kind !== 'item' && depth > 0) return undefined;
  const line = text.split('\n', 1)[0] ?? '';
  const named = label.exec(line);
  if (named) return line.slice(named[0].length);
  return startsWithPhase.test(line) || startsWithLink.test(line)
    ? line.replace(/^\[[ xX]\]\s*/, '')
    : undefined;
}

function placeIn({ lines }: Document, { line, text, end }: TextBlock): TextSpan {
  return spanOf(lines, line, text.split('\n', 1)[0] ?? '', end);
}

const none = /^(?:n\/?a|none|nothing|nil|no dependenc(?:y|ies)|no (?:other )?phases?|[-–—.]+|)$/i;
/** "None, this is the first phase"; but not "None but Phase 1". */
const startsWithNone = /^(?:n\/?a|none|nothing)\b(?!.*\bphase\s+\d)/is;
const separators = /,|;|&|\+|\b(?:and|or)\b/gi;
const sequence = new RegExp(`^(?:phases?\\s+)?${ID}(?:\\s+${ID})+$`, 'i');
const piece = new RegExp(`^(?:phases?\\s+)?(${ID})(?=$|\\s*[:.]\\s|\\s+[-–—]\\s|[:.]$|\\s*$)`, 'i');
const range = /^(?:phases?\s+)?(\d{1,6})\s*(?:-|–|—|\.\.|to|through)\s*(?:phase\s+)?(\d{1,6})$/i;
const blanks = /(?<=\d[A-Za-z]?)\s+/g;
const MAX_RANGE = 100;

/** `Phase 1, Phase 2.1 (why), [Phase 3](phase-3.md)`; ignores remarks in brackets. */
function readValue(value: string, span: TextSpan, document: Document): Omit<WrittenDependency, 'sure'>[] {
  if (none.test(value) || startsWithNone.test(value)) return [];
  const found: Omit<WrittenDependency, 'sure'>[] = [];
  for (const part of partsOf(value)) {
    const text = part.text.trim();
    const link = firstLink(text, document.references);
    const shown = plainText(text, document.references)
      .replace(/\([^()]*\)/g, '')
      .trim();
    if (none.test(shown) && !link) continue;
    const at = placeOfPart(document, span, part.offset + part.text.indexOf(text), text);
    for (const id of idsIn(shown)) found.push({ id, path: link?.href ?? null, text: shown, span: at });
  }
  return found;
}

/** One id, all ids of a range, or null for anything else. */
function idsIn(text: string): (string | null)[] {
  const [, from, to] = range.exec(text)?.map(Number) ?? [];
  if (from === undefined || to === undefined)
    return [piece.exec(text)?.[1] ?? readPhaseTitle(text)?.id ?? null];
  if (!isShort(from, to)) return [null];
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
}

const isShort = (from: number, to: number) => from < to && to - from < MAX_RANGE;

/** Ignores separators inside brackets, in a remark or a link. */
function partsOf(value: string): { text: string; offset: number }[] {
  const whole = value.replace(/\([^()]*\)|\[[^[\]]*\]/g, (inner) => inner.replace(/./gs, '\0'));
  const parts: { text: string; offset: number }[] = [];
  let offset = 0;
  for (const match of whole.matchAll(sequence.test(value.trim()) ? blanks : separators)) {
    parts.push({ text: value.slice(offset, match.index), offset });
    offset = match.index + match[0].length;
  }
  return [...parts, { text: value.slice(offset), offset }];
}

/** In the line of the whole value; a multi-line value is located at its beginning. */
function placeOfPart({ lines }: Document, span: TextSpan, offset: number, text: string): TextSpan {
  const at = span.column - 1 + offset;
  const isThere = lines[span.line - 1]?.startsWith(text, at) ?? false;
  return isThere ? { line: span.line, column: at + 1, length: Math.max(1, text.length) } : span;
}
