import { posix } from 'node:path';
import {
  type Cell,
  type Document,
  firstLink,
  plainText,
  readMarkdown,
  splitRow,
} from '../../text/markdown.ts';
import { readMetadata } from './metadata.ts';
import { idKey, readId, readPhaseTitle } from './phase-id.ts';
import type { Criterion, Metadata, PhaseRow, Problem, TextFile, TextSpan } from './plan.ts';
import { lineStart, readSections, type Sections } from './sections.ts';
import { readStatus } from './status.ts';
import { readCriteria } from './tasks.ts';

export interface Master {
  path: string;
  title: string;
  metadata: Metadata;
  issuesSpan: TextSpan | undefined;
  rows: PhaseRow[];
  criteria: Criterion[];
  problems: Problem[];
}

/** Reads a master file: title, metadata and the rows of the table under `## Phases`. */
export function parseMaster({ path, text }: TextFile): Master {
  const document = readMarkdown(text);
  const sections = readSections(document, ['phases', 'criteria']);
  const { metadata, issuesSpan, problems } = readMetadata(document, sections, path);
  const { rows, problems: rowProblems } = readRows(document, sections, path);
  const title = plainText(sections.title?.text ?? '', document.references);
  return {
    path,
    title: title.replace(/ [-–—] Master Plan$/, ''),
    metadata,
    issuesSpan,
    rows,
    criteria: readCriteria(document, sections),
    problems: [...problems, ...rowProblems],
  };
}

interface Found {
  rows: PhaseRow[];
  problems: Problem[];
}

/** The rows of the tables under `## Phases`. An unreadable row is reported, never left out. */
function readRows(document: Document, sections: Sections, file: string): Found {
  const found: Found = { rows: [], problems: [] };
  let strange: number[] | undefined;
  for (const block of sections.of('phases')) {
    if (block.kind === 'table') {
      const [head = 0, ...body] = block.lines;
      const columns = readColumns(splitRow(document.lines[head - 1] ?? ''));
      if (columns) for (const line of body) readRow(document, line, columns, file, found);
      else strange ??= block.lines;
    } else if (block.kind === 'paragraph' && block.depth === 0 && block.text.startsWith('|')) {
      looseRows(document, block.line, block.end, file, found);
    }
  }
  if (found.rows.length === 0 && strange) {
    for (const line of strange) found.problems.push(unreadable(document, line, file, noColumns));
  }
  return found;
}

const noColumns = 'the table has no columns for the phase id and title';
const noTable = 'it is not in a table (a table has a heading line, then | --- | --- |, and no empty lines)';

/** Lines with pipes that are not a table, because it has no headings or an empty line in the middle. */
function looseRows(document: Document, from: number, to: number, file: string, found: Found): void {
  for (let line = from; line <= to; line++) {
    const text = document.lines[line - 1] ?? '';
    const isRow = text.trimStart().startsWith('|') && /[^\s|:-]/.test(text);
    if (isRow) found.problems.push(unreadable(document, line, file, noTable));
  }
}

function readRow(document: Document, line: number, columns: Columns, file: string, found: Found): void {
  const raw = document.lines[line - 1] ?? '';
  const cells = splitRow(raw);
  const text = (index: number) => plainText(cells[index]?.text ?? '', document.references);
  const together = columns.id === columns.title ? readPhaseTitle(text(columns.id)) : undefined;
  const id = together?.id ?? readId(text(columns.id));
  const link = linkOf(cells, columns, document);
  const target = link && planPath(link.href);
  if (id === undefined || !link || !target) {
    const reason =
      id === undefined
        ? `"${text(columns.id)}" is not a phase id`
        : link
          ? `its link "${link.href}" does not point to a file`
          : 'its title does not link to a file';
    found.problems.push({ ...unreadable(document, line, file, reason), ...(id ? { rowId: idKey(id) } : {}) });
    return;
  }
  const outside = 'outside' in target;
  found.rows.push({
    id,
    title: together?.title ?? (link.isAll ? link.text : text(columns.title) || link.text),
    path: outside ? target.outside : target.path,
    outside,
    focus: text(columns.focus),
    risk: text(columns.risk),
    ...statusOf(cells[columns.status], line),
    extra: extraOf(cells, columns, document),
    raw,
    span: lineStart(document.lines, line),
    linkSpan: link.span(line),
  });
}

function linkOf(cells: Cell[], { title, id, file }: Columns, document: Document) {
  for (const index of [title, id, file]) {
    const cell = cells[index];
    if (!cell) continue;
    const link =
      firstLink(cell.text, document.references) ?? (index === file ? bareFile(cell.text) : undefined);
    if (!link) continue;
    const span = (line: number): TextSpan => ({
      line,
      column: cell.start + 1,
      length: Math.max(1, cell.length),
    });
    return { ...link, span, isAll: index === title && link.text !== '' && link.isAll };
  }
  return undefined;
}

/** In a column of files, a plain name is enough. */
function bareFile(text: string) {
  const href = text.replace(/^`|`$/g, '');
  return /^\S+\.\w+$/.test(href) ? { text: '', href, isAll: true } : undefined;
}

function statusOf(cell: Cell | undefined, line: number): Pick<PhaseRow, 'status' | 'statusSpan'> {
  if (!cell) return { status: undefined, statusSpan: undefined };
  const statusSpan = { line, column: cell.start + 1, length: cell.length };
  const read = readStatus(cell.text);
  if (!read) return { status: undefined, statusSpan };
  const { status, known, word, start } = read;
  const span = { line, column: cell.start + start + 1, length: word.length };
  return { status: { status, known, word, span }, statusSpan: statusSpan };
}

function extraOf(cells: Cell[], columns: Columns, document: Document): PhaseRow['extra'] {
  const { names, ...known } = columns;
  const used = new Set(Object.values(known));
  return cells.flatMap(({ text }, index) =>
    used.has(index) ? [] : [{ name: names[index] ?? null, text: plainText(text, document.references) }],
  );
}

function unreadable({ lines }: Document, line: number, file: string, reason: string): Problem {
  return {
    code: 'UNREADABLE_ROW',
    message: `Invalid row in the table of phases: ${reason}.`,
    suggestion: 'Use this form: | 1 | [Title](phase-1.md) | Focus | Low | Pending |',
    file,
    span: lineStart(lines, line),
  };
}

/** Which cell of a row is which; -1 if there is none. */
interface Columns {
  id: number;
  title: number;
  focus: number;
  risk: number;
  status: number;
  file: number;
  names: string[];
}

const columnNames = {
  id: /^(?:#|id|no\.?|nr\.?|number|phase ?(?:#|id|no\.?|nr\.?|number))$/,
  title: /^(?:title|name|phase (?:title|name))$/,
  focus: /^focus$/,
  risk: /^risks?(?: level)?$/,
  status: /^(?:status|state)$/,
  file: /^(?:file|path|link|plan|document)$/,
} as const;

/** Which column is which; undefined if it is not a table of phases. */
function readColumns(heading: Cell[]): Columns | undefined {
  const names = heading.map(({ text }) => plainText(text));
  const lower = names.map((name) => name.toLowerCase().replace(/\s+/g, ' '));
  const at = (pattern: RegExp) => lower.findIndex((name) => pattern.test(name));
  const phase = lower.findIndex((name) => name === 'phase' || name === 'phases');
  const id = at(columnNames.id) >= 0 ? at(columnNames.id) : phase;
  const title = at(columnNames.title) >= 0 ? at(columnNames.title) : phase;
  if (id < 0 || title < 0) return undefined;
  const { focus, risk, status, file } = columnNames;
  return { id, title, focus: at(focus), risk: at(risk), status: at(status), file: at(file), names };
}

type PlanPath = { path: string } | { outside: string };

/** The file that a link points to, relative to `folder` in the plan; undefined if it points to no file (`#part`). */
export function planPath(href: string, folder = ''): PlanPath | undefined {
  const written = decoded(href.replace(/[#?].*$/s, '')).trim();
  if (written === '') return undefined;
  const path = written.replaceAll('\\', '/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/^[a-z][a-z0-9+.-]*:|^\/|[\x00-\x1f]/i.test(path)) return { outside: written };
  const joined = posix.normalize(posix.join(folder, path));
  if (joined === '.' || joined === '..' || joined.startsWith('../')) return { outside: written };
  return { path: joined };
}

function decoded(href: string): string {
  if (!href.includes('%')) return href;
  try {
    return decodeURIComponent(href);
  } catch {
    return href; // the percent sign is literal
  }
}
