import type { Document } from './markdown.ts';
import type { Criterion } from './plan.ts';
import type { Sections } from './sections.ts';
import { lineStart } from './text-span.ts';

const ID = String.raw`[A-Z]{1,5}-?\d+(?:\.\d+)*[a-z]?`;
const item = new RegExp(
  String.raw`^(?:\[[ xX]\]\s*)?(?:[*_${'`'}[(]{0,3}(${ID})[*_${'`'}\])]{0,3}(?:\s*[:.)–—-]|\s|$)[*_]{0,2}\s*)?(.*)`,
  's',
);
const mention = new RegExp(String.raw`(?<![\w.-])${ID}(?![\w-])`, 'g');

/** The items under `## Acceptance Criteria`, with their ids if they have one. */
export function readCriteria(document: Document, sections: Sections): Criterion[] {
  return sections.of('criteria').flatMap((block) => {
    if (block.kind !== 'item') return [];
    const [, id, text = ''] = item.exec(block.text) ?? [];
    if (block.depth > 1 && id === undefined) return [];
    const span = lineStart(document.lines, block.line);
    return [{ id: id ?? null, text: text.replace(/\s+/g, ' ').trim(), line: block.line, span }];
  });
}

/** What looks like a criterion's id; the audit checks whether it exists. */
export function mentionedCriteria(text: string): string[] {
  const found = /[A-Z]-?\d/.test(text) ? text.match(mention) : null;
  return found === null || found.length === 1 ? (found ?? []) : [...new Set(found)];
}
