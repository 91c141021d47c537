import { readAgents } from './agents.ts';
import { readCriteria } from './criteria.ts';
import { readDependencies } from './dependencies.ts';
import { boldFields, plainFields, type TextField } from './fields.ts';
import { readGates } from './gates.ts';
import { plainText } from './inline.ts';
import { isIssuesField, issueNumbers } from './issue-numbers.ts';
import { type Document, readMarkdown } from './markdown.ts';
import { readNotes } from './notes.ts';
import { readPhaseTitle } from './phase-id.ts';
import type { PhaseFile, TextFile, WrittenStatus } from './plan.ts';
import { readSections } from './sections.ts';
import { readStatus } from './status.ts';
import { readProcess, readTasks } from './tasks.ts';

const kinds = ['process', 'gates', 'tasks', 'dependencies', 'criteria', 'agents', 'notes'] as const;

export function parsePhase({ path, text }: TextFile): PhaseFile {
  const document = readMarkdown(text);
  const sections = readSections(document, kinds);
  const fields = boldFields(document, sections.texts);
  const title = readPhaseTitle(plainText(sections.title?.text ?? '', document.references));
  return {
    path,
    id: title?.id ?? null,
    title: title?.title ?? null,
    span: sections.title?.span ?? { line: 1, column: 1, length: 1 },
    status: statusOf(document, fields),
    dependencies: readDependencies(document, sections, fields),
    gates: readGates(document, sections),
    tasks: readTasks(document, sections),
    process: readProcess(document, sections),
    notes: readNotes(document, sections),
    agents: readAgents(document, sections),
    criteria: readCriteria(document, sections),
    issues: issuesOf(document, fields),
    sections: sections.headings,
  };
}

/** `**GitHub Issues:** #4, #5`, or `issues: [4, 5]` in front matter. */
function issuesOf(document: Document, fields: TextField[]): number[] {
  const own = fields.filter(({ section }) => section !== 'tasks' && section !== 'gates');
  const named = [...own, ...plainFields(document, document.frontMatter)].filter(({ name }) =>
    isIssuesField(name),
  );
  return [...new Set(named.flatMap(({ value }) => issueNumbers(value)))];
}

function statusOf(document: Document, fields: TextField[]): WrittenStatus | undefined {
  const field =
    fields.find(({ name, section }) => name === 'status' && section !== 'tasks') ??
    plainFields(document, document.frontMatter).find(({ name }) => name === 'status');
  return field && written(field.value, field.span);
}

function written(
  value: string,
  { line, column }: { line: number; column: number },
): WrittenStatus | undefined {
  const read = readStatus(value);
  if (!read) return undefined;
  const { status, known, word, start } = read;
  return { status, known, word, span: { line, column: column + start, length: word.length } };
}
