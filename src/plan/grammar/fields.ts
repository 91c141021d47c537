import type { Document } from '../../text/markdown.ts';
import type { SectionKind, TextSpan } from './plan.ts';
import type { Sections } from './sections.ts';

/** A line such as `**Status:** Pending`. */
export interface Field {
  /** In lower case, with blanks instead of `_` and `-`. */
  name: string;
  value: string;
  span: TextSpan;
}

/** A field in a paragraph or an item: the one with this index among the document's texts. */
export interface TextField extends Field {
  text: number;
  section: SectionKind | undefined;
}

const bold = /\*\*([^*:\n]{1,40})(?::[ \t]*\*\*|\*\*[ \t]*:)[ \t]*/g;
const plainField = /^[\s>]*(?:[-*+][ \t]+)?([A-Za-z][\w -]{0,39}?)[ \t]*:[ \t]+/;

/** The bold fields of a document. A line may have several; a value that ends with a comma continues on the next line. */
export function boldFields(document: Document, texts: Sections['texts']): TextField[] {
  const fields: TextField[] = [];
  texts.forEach(({ block, section }, text) => {
    if (!block.text.includes('**')) return;
    const first = fields.length;
    let more: string[] = [];
    const close = () => {
      const last = fields.length > first ? fields.at(-1) : undefined;
      if (last && more.length > 0) last.value = [last.value, ...more].join(' ').trim();
      more = [];
    };
    for (let line = block.line; line <= block.end; line++) {
      const source = document.lines[line - 1] ?? '';
      const found = source.includes('**') ? [...source.matchAll(bold)] : [];
      if (found.length > 0) close();
      else if (continuesBelow(more.at(-1) ?? fields.at(-1)?.value)) more.push(source.trim());
      found.forEach((match, index) => {
        const start = match.index + match[0].length;
        const value = source.slice(start, found[index + 1]?.index ?? source.length);
        fields.push({ ...field(match[1] ?? '', value, line, start), text, section });
      });
    }
    close();
  });
  return fields;
}

function continuesBelow(value: string | undefined): boolean {
  return value === '' || (value?.endsWith(',') ?? false);
}

/** `name: value` without bold type; only for places where nobody would write such a sentence. */
export function plainFields(document: Document, lines: number[]): Field[] {
  return lines.flatMap((line) => {
    const text = document.lines[line - 1] ?? '';
    const match = plainField.exec(text);
    return match ? [field(match[1] ?? '', text.slice(match[0].length), line, match[0].length)] : [];
  });
}

function field(name: string, raw: string, line: number, start: number): Field {
  const value = withoutEnd(raw).trimStart();
  const column = start + (raw.length - raw.trimStart().length) + 1;
  return {
    name: name
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' '),
    value,
    span: { line, column, length: Math.max(1, value.length) },
  };
}

/** Without the separator before the next field on the line. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t|·•;'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** The numbers of the issues that a text names: `#10, #11`, `10 and 11`, `gh#10`, a URL. */
export function issueNumbers(text: string): number[] {
  const found = text.matchAll(/(?<![\w.])#?(\d{1,15})(?!\w|\.\d)|(?:gh|github|issues\/)#?(\d{1,15})/gi);
  return [...new Set(Array.from(found, ([, plain, marked]) => Number(plain ?? marked)))];
}

/** Whether a field of this name lists issues. */
export function isIssuesField(name: string): boolean {
  return /^(?:github )?issues?$/i.test(name);
}
