import type { TextEdit } from '../grammar/edit-plan.ts';
import type { PhaseFile, Plan, TextFile, WrittenStatus } from '../grammar/plan.ts';
import { closestStatus, statusLabels } from '../grammar/status.ts';
import { phaseFiles } from './rule.ts';
import { notesPath } from './rules/paths.ts';

/** A change that is safe without asking, and what it does. */
export interface Fix {
  edit: TextEdit;
  message: string;
}

/** Fixes that need nothing but the plan itself: the path of the notes, the spelling of a status. */
export function fixesFor(plan: Plan): Fix[] {
  const rows = plan.phases.flatMap(({ row }) => respelled(row.status, plan.master));
  const files = Array.from(phaseFiles(plan), ({ phase, file }) => [
    ...respelled(file.status, file.path),
    ...withNotes(plan, file, phase.id),
  ]);
  return [...rows, ...files.flat()];
}

function respelled(written: WrittenStatus | undefined, path: string): Fix[] {
  const meant = written && !written.known ? closestStatus(written.word) : undefined;
  if (!written || !meant) return [];
  const text = statusLabels[meant];
  return [
    { edit: { path, ...written.span, text }, message: `Changed the status ${written.word} to ${text}.` },
  ];
}

function withNotes(plan: Plan, file: PhaseFile, id: string): Fix[] {
  const source = plan.files.get(file.path);
  if (file.notes.output || !source || !('text' in source)) return [];
  const step = `- [ ] Write notes to: \`${notesPath(id)}\``;
  return [
    {
      edit: insertStep(source, file, step),
      message: `Phase ${id} now writes its notes to ${notesPath(id)}.`,
    },
  ];
}

/** After the last step of the process wrapper; below its heading; or in a new section at the end. */
function insertStep(source: TextFile, file: PhaseFile, step: string): TextEdit {
  const lines = source.text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const after = (line: number, text: string): TextEdit => ({
    path: file.path,
    line,
    column: (lines[line - 1] ?? '').length + 1,
    length: 0,
    text,
  });
  const last = file.process.at(-1);
  if (last) return after(endOfItem(lines, last.line), `\n${step}`);
  if (file.sections.process) return after(file.sections.process.line, `\n\n${step}`);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const gap = end === 0 ? '' : '\n\n';
  return after(Math.max(1, end), `${gap}## Process Wrapper\n\n${step}`);
}

/** The last line that is indented below the item. */
function endOfItem(lines: string[], line: number): number {
  let end = line;
  for (let next = line + 1; next <= lines.length; next++) {
    const text = lines[next - 1] ?? '';
    if (text.trim() === '') continue;
    if (!/^[ \t]/.test(text)) break;
    end = next;
  }
  return end;
}
