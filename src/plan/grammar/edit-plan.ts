import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../../files/real-path.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';
import { parseMaster } from './master.ts';
import { assemblePlan } from './parse-plan.ts';
import { idKey } from './phase-id.ts';
import type { Phase, Plan, TextFile, TextSpan, WrittenStatus } from './plan.ts';
import { type Status, statusEmoji, statusLabels } from './status.ts';

/** The edits that give a phase another status: one line in the master's table, one in the phase's file. */
export function setStatus(plan: Plan, phaseId: string, status: Status): TextEdit[] {
  const phase = plan.phases.find(({ id }) => idKey(id) === idKey(phaseId));
  if (!phase) {
    const ids = plan.phases.map(({ id }) => id).join(', ');
    throw new FermataError('not_found', `Phase ${phaseId} not found. The plan has: ${ids.slice(0, 500)}.`);
  }
  return [...inRow(plan, phase, status), ...inFile(plan, phase, status)];
}

function inRow(plan: Plan, { row }: Phase, status: Status): TextEdit[] {
  if (row.status) return replaced(plan, plan.master, row.status, status);
  if (!row.statusSpan) return [];
  return [{ path: plan.master, ...row.statusSpan, text: statusLabels[status] }];
}

function inFile(plan: Plan, { row, file }: Phase, status: Status): TextEdit[] {
  if (!file) return [];
  if (file.status) return replaced(plan, file.path, file.status, status);
  if (row.statusSpan) return [];
  return [insertedLine(plan, file.path, file.span, `**Status:** ${statusLabels[status]}`)];
}

/** Replaces only the word, and an emoji before it that shows the old status. */
function replaced(plan: Plan, path: string, old: WrittenStatus, status: Status): TextEdit[] {
  if (old.known && old.status === status) return [];
  const { line, column, length } = old.span;
  const emoji = statusEmoji[old.status];
  if (old.word === emoji) return [{ path, line, column, length, text: statusEmoji[status] }];
  const word: TextEdit = { path, line, column, length, text: statusLabels[status] };
  const at = lineOf(plan, path, line)
    .slice(0, column - 1)
    .search(new RegExp(`${emoji}\uFE0F?[\\s*_]*$`, 'u'));
  if (at < 0) return [word];
  return [{ path, line, column: at + 1, length: emoji.length, text: statusEmoji[status] }, word];
}

function insertedLine(plan: Plan, path: string, title: TextSpan, text: string): TextEdit {
  const titled = lineOf(plan, path, title.line).startsWith('#');
  if (!titled) return { path, line: 1, column: 1, length: 0, text: `${text}\n\n` };
  const column = lineOf(plan, path, title.line).length + 1;
  return { path, line: title.line, column, length: 0, text: `\n\n${text}` };
}

function lineOf(plan: Plan, path: string, line: number): string {
  const file = plan.files.get(path);
  if (!file || !('text' in file)) return '';
  return file.text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)[line - 1] ?? '';
}

/** A change in one place of a file; everything else stays unchanged, byte for byte. */
export interface TextEdit {
  path: string;
  line: number;
  column: number;
  /** How much is removed there; never a line break. */
  length: number;
  text: string;
}

/** Applies the changes to the text. A line break in a new text becomes the file's own kind of line break. */
function applyEdits(file: TextFile, edits: readonly TextEdit[]): string {
  const ours = edits.filter(({ path }) => path === file.path);
  if (ours.length === 0) return file.text;
  const starts = lineStarts(file.text);
  const lineEnd = /\r\n|\r|\n/.exec(file.text)?.[0] ?? '\n';
  const changes = ours
    .map(({ line, column, length, text }) => ({
      at: (starts[line - 1] ?? file.text.length) + column - 1,
      length,
      text: text.replaceAll('\n', lineEnd),
    }))
    .sort((a, b) => a.at - b.at);
  let result = '';
  let from = 0;
  for (const { at, length, text } of changes) {
    result += file.text.slice(from, at) + text;
    from = at + length;
  }
  return result + file.text.slice(from);
}

/** Where each line begins; the first one after a byte order mark. */
function lineStarts(text: string): number[] {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return starts;
}

/** The texts of a plan's files. A plan keeps its source, so that printing changes only what was requested. */
export function printPlan(plan: Plan, edits: readonly TextEdit[] = []): TextFile[] {
  return textFiles(plan).map((file) => ({ path: file.path, text: applyEdits(file, edits) }));
}

export function editPlan(plan: Plan, edits: readonly TextEdit[]): Plan {
  const printed = new Map(printPlan(plan, edits).map((file) => [file.path, file]));
  const files = [...plan.files.values()].map((file) => printed.get(file.path) ?? file);
  const master = printed.get(plan.master);
  return master ? assemblePlan(parseMaster(master), files) : plan;
}

function textFiles(plan: Plan): TextFile[] {
  return [...plan.files.values()].filter((file): file is TextFile => 'text' in file);
}

/** Applies the changes to the plan's files, each file atomically. Leaves a file alone that changed since it was read. */
export function writeEdits(folder: string, plan: Plan, edits: readonly TextEdit[]): void {
  const touched = new Set(edits.map(({ path }) => path));
  for (const file of printPlan(plan, edits)) {
    if (!touched.has(file.path)) continue;
    const before = plan.files.get(file.path);
    if (before && 'text' in before) replace(folder, before, file.text);
  }
}

function replace(folder: string, before: TextFile, text: string): void {
  try {
    const path = realPath(join(folder, before.path));
    if (readFileSync(path, 'utf8') !== before.text) {
      throw new FermataError(
        'conflict',
        `${before.path} was changed in the meantime, so it was not overwritten. Try again.`,
      );
    }
    writeAtOnce(path, text);
  } catch (error) {
    if (error instanceof FermataError) throw error;
    const { message } = error as Error;
    throw new FermataError('read_only', `Cannot write ${before.path}: ${message}.`, { cause: error });
  }
}
