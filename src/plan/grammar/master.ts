import { readCriteria } from './criteria.ts';
import { plainText } from './inline.ts';
import { readMarkdown } from './markdown.ts';
import { readMetadata } from './metadata.ts';
import { readRows } from './phase-rows.ts';
import type { Criterion, Metadata, PhaseRow, Problem, TextFile, TextSpan } from './plan.ts';
import { readSections } from './sections.ts';

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
