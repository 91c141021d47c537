import { type Document, readMarkdown } from '../../text/markdown.ts';
import type { FileBlock } from '../file-blocks.ts';
import { parsePlan } from '../grammar/parse-plan.ts';
import type { Phase, Plan } from '../grammar/plan.ts';
import { joined, MADE_FROM, unmarked } from './plan-from-progress.ts';
import { DONE, ticked, trimmed } from './read-progress.ts';

/**
 * The progress file of a plan: the sections of its master, with the tasks of all phases instead of the table. For a plan
 * made from a progress file, that is the same file with the current progress.
 */
export function progressFromPlan(plan: Plan): string {
  const { before, table, after } = aroundPhases(documentAt(plan, plan.master));
  const isMade = before[0] === MADE_FROM;
  const own = isMade ? unmarked : (lines: string[]) => lines;
  const isDone = plan.phases.length > 0 && plan.phases.every(({ status }) => status === 'completed');
  const head = withStatus(own(isMade ? trimmed(before.slice(1)) : before), isDone);
  const saysHow = isMade || [...head, ...after].some((line) => /^## Testing Strategy\b/i.test(line));
  return joined([
    [`# Progress: ${plan.title}`],
    head,
    ['## Tasks'],
    own(table),
    ...plan.phases.flatMap((phase) => phasePart(plan, phase, isMade)),
    own(after),
    ...(saysHow ? [] : testingStrategy(plan)),
  ]);
}

/** The original lines of a phase, or its content with a heading and its groups one level lower. */
function phasePart(plan: Plan, { id, title, path, status }: Phase, isMade: boolean): string[][] {
  const own = sectionOf(documentAt(plan, path), /^(?:implementation )?tasks\b/i);
  const lines = status === 'completed' ? ticked(own) : own;
  if (isMade) return [lines];
  return [[`### Phase ${id}: ${title}`], lines.map((line) => line.replace(/^#{3,5} /, '#$&'))];
}

/** The gate commands are the testing strategy of one of our plans. */
function testingStrategy(plan: Plan): string[][] {
  const parts = plan.phases.flatMap(({ id, title, path }) => {
    const gates = sectionOf(documentAt(plan, path), /^(?:(?:quality|validation) )?gates\b/i);
    return gates.length === 0 ? [] : [[`### Phase ${id}: ${title}`], gates];
  });
  return parts.length === 0 ? [] : [['## Testing Strategy'], ...parts];
}

function documentAt({ files }: Plan, path: string): Document {
  const file = files.get(path);
  return readMarkdown(file && 'text' in file ? file.text : '');
}

/** The lines of a master around its table of phases, without the title. */
function aroundPhases({ lines, blocks }: Document): { before: string[]; table: string[]; after: string[] } {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const title = headings.find(({ level }) => level === 1)?.line ?? 0;
  const phases = headings.find(({ level, text }) => level === 2 && /^phases\s*$/i.test(text));
  if (!phases) return { before: trimmed(lines.slice(title)), table: [], after: [] };
  const next = headings.find(({ level, line }) => level <= 2 && line > phases.line)?.line ?? lines.length + 1;
  const rows = new Set(blocks.flatMap((block) => (block.kind === 'table' ? block.lines : [])));
  const isRow = (line: number) => rows.has(line) || rows.has(line - 1);
  const rest = lines.slice(phases.line, next - 1).filter((_, index) => !isRow(phases.line + 1 + index));
  return {
    before: trimmed(lines.slice(title, phases.line - 1)),
    table: trimmed(rest),
    after: trimmed(lines.slice(next - 1)),
  };
}

/** The lines of a section of the second level. */
function sectionOf({ lines, blocks }: Document, name: RegExp): string[] {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const start = headings.find(({ level, text }) => level === 2 && name.test(text));
  if (!start) return [];
  const end = headings.find(({ level, line }) => level <= 2 && line > start.line)?.line ?? lines.length + 1;
  return trimmed(lines.slice(start.line, end - 1));
}

/** Keeps what `## Status` says as long as it is still true. */
function withStatus(lines: string[], isDone: boolean): string[] {
  const status = isDone ? DONE : 'In Progress';
  const heading = lines.findIndex((line) => /^## Status\s*$/i.test(line));
  if (heading < 0) return ['## Status', '', status, ...(lines.length > 0 ? ['', ...lines] : [])];
  const at = lines.findIndex((line, index) => index > heading && line.trim() !== '');
  if (at < 0 || lines[at]?.startsWith('#')) return lines.toSpliced(heading + 1, 0, '', status);
  return lines[at]?.includes(DONE) === isDone ? lines : lines.with(at, status);
}

export const PROGRESS = 'progress.md';

/** The files of a plan with their progress file, unless they have one or are not a plan. */
export function withProgress(files: FileBlock[]): FileBlock[] {
  const plan = parsePlan(files.map(({ name, content }) => ({ path: name, text: content })));
  if (plan.phases.length === 0 || files.some(({ name }) => name === PROGRESS)) return files;
  return [...files, { name: PROGRESS, content: progressFromPlan(plan), line: 1 }];
}
