import type { PhaseFile, PhaseRow, Problem, WrittenStatus } from './plan.ts';
import { closestStatus, statuses, statusLabels } from './status.ts';

/** Words that are not a status, and a phase with different statuses in its two places. */
export function statusProblems(row: PhaseRow, file: PhaseFile | undefined, master: string): Problem[] {
  return [
    ...unknown(row.status, master),
    ...(file ? [...unknown(file.status, file.path), ...disagreement(row, file)] : []),
  ];
}

function unknown(written: WrittenStatus | undefined, file: string): Problem[] {
  if (!written || written.known) return [];
  const meant = closestStatus(written.word);
  return [
    {
      code: 'UNKNOWN_STATUS',
      message: `"${written.word.slice(0, 50)}" is not a valid status; using Pending.`,
      suggestion: meant
        ? `Write ${statusLabels[meant]}.`
        : `Use one of: ${statuses.map((status) => statusLabels[status]).join(', ')}.`,
      file,
      span: written.span,
    },
  ];
}

function disagreement(row: PhaseRow, file: PhaseFile): Problem[] {
  if (!row.status || !file.status || row.status.status === file.status.status) return [];
  return [
    {
      code: 'STATUS_DISAGREES',
      message: `Phase ${row.id} is "${file.status.word}" here, but "${row.status.word}" in the table of phases.`,
      suggestion: 'Write the same status in both places.',
      file: file.path,
      span: file.status.span,
    },
  ];
}
