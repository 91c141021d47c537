import { type Document, plainText, readMarkdown, splitRow } from '../../text/markdown.ts';
import { readDependencies } from './dependencies.ts';
import { boldFields, isIssuesField, issueNumbers, plainFields, type TextField } from './fields.ts';
import { readGates } from './gates.ts';
import { readPhaseTitle } from './phase-id.ts';
import type { AgentMention, NotesPath, PhaseFile, TextFile, WrittenStatus } from './plan.ts';
import { readSections, type Sections, spanOf, spansIn, type TextBlock } from './sections.ts';
import { readStatus } from './status.ts';
import { readCriteria, readProcess, readTasks } from './tasks.ts';

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

const path =
  /`([^`\n]+)`|\]\(([^()\s]+)\)|(?<![\w/.{}~-])((?:[\w.{}~-]*\/)+[\w.{}-]*[\w}]|[\w{}-]+\.(?:mdx?|txt|json))/g;
const writes =
  /\b(?:write|writes|save|record|put|append|store|create|update)\b|\bnotes?\s+(?:to|output|out)\b|\boutput\s+notes\b|^\W*(?:notes|output)\s*:/i;
const reads =
  /\b(?:read|load|review|see|check|consult)\b|\bnotes?\s+(?:from|input)\b|\b(?:input|previous)\s+notes\b|^\W*input\s*:/i;
/** The longest sentence to search, because a document is not a sentence. */
const MAX_LENGTH = 2000;

/** Where a phase finds the notes of earlier phases, and where it writes its own. */
function readNotes(document: Document, sections: Sections): PhaseFile['notes'] {
  const notes: PhaseFile['notes'] = { input: null, output: null };
  for (const { block, section } of sections.texts) {
    if (notes.input && notes.output) break;
    if (section !== 'notes' && !/otes|OTES/.test(block.text)) continue;
    for (const line of block.text.slice(0, MAX_LENGTH).split('\n')) {
      notes.input ??= find(reads, writes, line, section === 'notes', document, block);
      notes.output ??= find(writes, reads, line, section === 'notes', document, block);
    }
  }
  return notes;
}

/** The first path after a word about notes: "Write `src/x.ts`" is not about notes. */
function find(
  word: RegExp,
  other: RegExp,
  line: string,
  inNotes: boolean,
  document: Document,
  block: TextBlock,
): NotesPath | null {
  const bare = line.replace(/^\[[ xX]\]\s*/, '');
  const verb = word.exec(bare);
  if (!verb) return null;
  const rest = bare.slice(verb.index + verb[0].length);
  for (const match of rest.matchAll(path)) {
    const before = rest.slice(0, match.index);
    if (other.test(before)) return null;
    const found = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    if (/^(?:n\/?a|none)$/i.test(found)) return null;
    // Unquoted, it has to look like a file: `and/or` does not.
    if (match[3] !== undefined && !/\.\w{1,5}$|notes/i.test(found)) continue;
    const about =
      (inNotes && /^\W*(?:input|output|read|write)\b/i.test(bare)) ||
      /notes/i.test(verb[0] + before) ||
      /notes/i.test(found);
    if (about && found !== '' && !/\s/.test(found.replace(/\{[^{}]*\}/g, '')))
      return { path: found, span: spanOf(document.lines, block.line, found, block.end) };
  }
  return null;
}

const NAME = '[A-Za-z0-9](?:[\\w-]*[A-Za-z0-9])?';
const atStart = new RegExp(`^(?:\\[[ xX]\\]\\s*)?[^\\w\\n]{0,10}AGENT:\\s?(${NAME})`, 'gm');
const marked = new RegExp(`(?:\\*\\*|\`)\\s?AGENT:\\s?(${NAME})`, 'g');
const called = new RegExp(`\\bsubagent_type["']?\\s*[:=]\\s*["'\`]?(${NAME})`, 'g');

/** Agents that a phase needs: `AGENT:name` as a mark (not in a sentence), `subagent_type`, and the table of agents. */
function readAgents(document: Document, sections: Sections): AgentMention[] {
  const found = new Map<string, AgentMention>();
  const add = (agent: AgentMention) => {
    const known = found.get(agent.name);
    if (!known || (agent.required && !known.required)) found.set(agent.name, agent);
  };
  for (const { block } of sections.texts) {
    if (!/AGENT:|subagent_type/.test(block.text)) continue;
    const span = spansIn(document.lines, block);
    for (const pattern of [atStart, marked, called])
      for (const { 0: mark, 1: name = '', index } of block.text.matchAll(pattern))
        add({ name, required: true, span: span(index + mark.length - name.length, name.length) });
  }
  for (const block of sections.of('agents'))
    if (block.kind === 'table') readTable(document, block.lines).forEach(add);
  return [...found.values()];
}

/** If some rows say REQUIRED, the others are optional; else all are required, except those with a condition. */
function readTable({ lines, references }: Document, [head = 0, ...body]: number[]): AgentMention[] {
  const heading = splitRow(lines[head - 1] ?? '').map(({ text }) => plainText(text).toLowerCase());
  const column = heading.findIndex((name) => /^(?:sub)?agents?(?: name)?$/.test(name));
  if (column < 0) return [];
  const rows = body.map((line) => ({ line, raw: lines[line - 1] ?? '' }));
  const anyRequired = rows.some(({ raw }) => /\bREQUIRED\b/.test(raw));
  return rows.flatMap(({ line, raw }) => {
    const cell = plainText(splitRow(raw)[column]?.text ?? '', references).replace(/^AGENT:\s?/, '');
    if (!new RegExp(`^${NAME}$`).test(cell)) return [];
    const required = anyRequired ? /\bREQUIRED\b/.test(raw) : !/\boptional\b|\|\s*(?:if|when)\b/i.test(raw);
    return [{ name: cell, required, span: spanOf(lines, line, cell) }];
  });
}
