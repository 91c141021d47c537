import { parseMaster } from './master.ts';
import { assemblePlan } from './parse-plan.ts';
import type { Plan, TextFile } from './plan.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

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
