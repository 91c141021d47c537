import { FermataError } from '../../schema/error.ts';
import { idKey } from './phase-id.ts';
import type { Phase, Plan, TextSpan, WrittenStatus } from './plan.ts';
import { type Status, statusEmoji, statusLabels } from './status.ts';
import type { TextEdit } from './text-edit.ts';

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
