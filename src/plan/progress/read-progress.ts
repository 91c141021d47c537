import { type Block, type Document, hiddenLines, readMarkdown } from '../../text/markdown.ts';

/** A progress file: one Markdown file with the status of a plan and its tasks in phases. */
export interface Progress {
  title: string;
  /** What `## Status` says. */
  status: string;
  /** The sections before `## Tasks`, line by line. */
  head: string[];
  /** What is under `## Tasks` before its first phase. */
  intro: string[];
  phases: ProgressPhase[];
  /** The sections after `## Tasks`. */
  tail: string[];
  problems: ProgressProblem[];
}

export interface ProgressPhase {
  /** The text of its `###` heading; undefined for tasks outside a phase. */
  heading: string | undefined;
  /** The lines under the heading. */
  lines: string[];
}

type Heading = Extract<Block, { kind: 'heading' }>;

/** The status with which an agent says that nothing is left to do. */
export const DONE = 'RALPH_DONE';

const TITLE = /^# Progress:(.*)$/;

/** Reads a progress file. Undefined if the text is not one: it needs a title `# Progress: …` and a section `## Tasks`. */
export function readProgress(text: string): Progress | undefined {
  const document = readMarkdown(text);
  const headings = document.blocks.filter((block): block is Heading => block.kind === 'heading');
  const [first] = headings;
  const title = TITLE.exec(document.lines[(first?.line ?? 0) - 1] ?? '')?.[1]?.trim();
  const tasks = headings.find(({ level, text }) => level === 2 && /^tasks$/i.test(text.trim()));
  if (!first || title === undefined || !tasks) return undefined;
  const after = headings.find(({ level, line }) => level <= 2 && line > tasks.line)?.line;
  const end = after ?? document.lines.length + 1;
  const inside = headings.filter(({ level, line }) => level === 3 && line > tasks.line && line < end);
  const lines = (from: number, to: number) => trimmed(document.lines.slice(from - 1, to - 1));
  const phases = inside.map(({ text, line }, index) => ({
    heading: text.trim(),
    lines: lines(line + 1, inside[index + 1]?.line ?? end),
  }));
  const intro = lines(tasks.line + 1, inside[0]?.line ?? end);
  const hasPhases = phases.length > 0;
  return {
    title,
    status: sectionText(document, headings, /^status$/i),
    head: lines(first.line + 1, tasks.line),
    intro: hasPhases ? intro : [],
    phases: hasPhases ? phases : [{ heading: undefined, lines: intro }],
    tail: lines(end, document.lines.length + 1),
    problems: brokenBoxes(document, tasks.line + 1, end - 1),
  };
}

/** The progress file in an agent's answer, without the text around it. */
export function progressIn(answer: string): string | undefined {
  const lines = answer.split(/\r\n|\n/);
  const start = lines.findIndex((line) => TITLE.test(line));
  if (start < 0) return undefined;
  const fence = /^(`{3,}|~{3,})[\w-]*\s*$/.exec(lines[start - 1] ?? '')?.[1];
  const close = fence === undefined ? -1 : lines.findLastIndex((line) => line.trimEnd() === fence);
  const text = `${lines
    .slice(start, close > start ? close : undefined)
    .join('\n')
    .trimEnd()}\n`;
  return readProgress(text) ? text : undefined;
}

function sectionText({ lines }: Document, headings: Heading[], name: RegExp): string {
  const at = headings.findIndex(({ level, text }) => level === 2 && name.test(text.trim()));
  const heading = headings[at];
  if (!heading) return '';
  return trimmed(lines.slice(heading.line, (headings[at + 1]?.line ?? lines.length + 1) - 1)).join('\n');
}

/** Without the blank lines around it. */
export function trimmed(lines: string[]): string[] {
  const from = lines.findIndex((line) => line.trim() !== '');
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

export interface ProgressProblem {
  line: number;
  message: string;
  suggestion: string;
}

/** A list item that begins with a bracket: what precedes the bracket, and what follows it. */
const bracketed = /^\s*(?:[-*+]|\d{1,9}[.)])(\s*)\[(.*)$/;
const good = /^[ xX]\](?:\s|$)/;
/** At most one character in the brackets, or an unclosed box; a link is neither. */
const meant = /^\s*[^\s\]]?\s*\](?!\()|^[ xX]?\s[^\]]*$/u;

/** The items that look like a check box but cannot be read as one. */
function brokenBoxes(document: Document, from: number, to: number): ProgressProblem[] {
  const hidden = hiddenLines(document);
  return document.lines.slice(from - 1, to).flatMap((text, index) => {
    const line = from + index;
    const [, space, rest] = bracketed.exec(text) ?? [];
    if (rest === undefined || hidden.has(line)) return [];
    const isBroken =
      space === '' ? good.test(rest) || meant.test(rest) : !good.test(rest) && meant.test(rest);
    if (!isBroken) return [];
    const shown = text.trim().slice(0, 80);
    const suggestion = 'Write "- [ ] " for an open task and "- [x] " for one that is done.';
    return [{ line, message: `"${shown}" is not a check box.`, suggestion }];
  });
}

const box = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(\](?:\s.*)?)$/;

/** Whether each check box in these lines is ticked. Ignores code. */
export function boxesIn(lines: readonly string[]): boolean[] {
  const hidden = hiddenLines(readMarkdown(lines.join('\n')));
  return lines.flatMap((line, index) => {
    const mark = hidden.has(index + 1) ? undefined : box.exec(line)?.[2];
    return mark === undefined ? [] : [mark !== ' '];
  });
}

/** The same lines with every open box ticked. */
export function ticked(lines: readonly string[]): string[] {
  const hidden = hiddenLines(readMarkdown(lines.join('\n')));
  return lines.map((line, index) =>
    hidden.has(index + 1)
      ? line
      : line.replace(box, (all, before, mark, after) => (mark === ' ' ? `${before}x${after}` : all)),
  );
}

/** The first line of a progress file that a newer one would lose. Boxes and the status may change. */
export function lostLine(before: string, after: string): { line: number; text: string } | undefined {
  const kept = new Set(after.split(/\r\n|\n/).map(unmarked));
  const lines = before.split(/\r\n|\n/);
  const at = lines.findIndex((line) => !kept.has(unmarked(line)) && !isStatus(line));
  return at < 0 ? undefined : { line: at + 1, text: (lines[at] ?? '').trim().slice(0, 80) };
}

const unmarked = (line: string) => line.replace(/\[[xX]\]/, '[ ]').trim();
const isStatus = (line: string) => line.includes(DONE) || line.trim() === 'In Progress';
