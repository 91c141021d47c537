import { parsePhase } from './phase.ts';
import type { PhaseFile, PhaseRow, PlanFile, Problem } from './plan.ts';

/** The content of a row's file, or why it cannot be read. A file of several rows is read once. */
export function readPhaseFile(
  row: PhaseRow,
  files: ReadonlyMap<string, PlanFile>,
  read: Map<string, PhaseFile>,
  master: string,
): PhaseFile | Problem {
  const { id, path, linkSpan } = row;
  const file = files.get(path);
  if (row.outside || (file && 'fault' in file && file.fault === 'outside')) {
    return {
      code: 'PATH_OUTSIDE_PLAN',
      message: `Phase ${id} is linked to ${path}, which is outside the plan's folder.`,
      suggestion: "Move the phase's file into the plan's folder and link to it with a relative path.",
      file: master,
      span: linkSpan,
    };
  }
  if (!file) {
    return {
      code: 'PHASE_NOT_FOUND',
      message: `The file of phase ${id} is missing: ${path}.`,
      suggestion: `Create ${path}, or correct the link.`,
      file: master,
      span: linkSpan,
    };
  }
  if ('fault' in file) {
    return {
      code: 'PHASE_PARSE_ERROR',
      message: `Cannot read the file of phase ${id}: ${path} ${file.message}.`,
      suggestion: 'A phase file must be Markdown in UTF-8.',
      file: path,
      span: { line: 1, column: 1, length: 1 },
    };
  }
  const phase = read.get(path) ?? parsePhase(file);
  read.set(path, phase);
  return phase;
}
