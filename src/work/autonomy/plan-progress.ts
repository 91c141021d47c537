import { posix } from 'node:path';
import { parseMaster } from '../../plan/grammar/master.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import type { Phase, PhaseRow, Plan } from '../../plan/grammar/plan.ts';
import { lastingText } from '../phases/fingerprint.ts';

/** The phase that a worktree belongs to. */
export interface OwnPhase {
  /** The plan's folder, relative to the top of a checkout. */
  folder: string;
  phase: string;
  variant: string | null;
  /** The ref of its feature branch. */
  feature: string;
}

/** A file of the plan before and after; paths are relative to the top of a checkout. */
interface EditedFile {
  path: string;
  before: string;
  after: string;
}

/** Whether an edit only records the progress of its own phase: its boxes and status, its row's status, its notes. */
export function isProgress(plan: Plan, own: OwnPhase, { path, before, after }: EditedFile): boolean {
  const phase = phaseOf(plan, own);
  if (!phase) return false;
  const at = (file: string) => posix.join(own.folder, file);
  if (path === at(phase.path)) return lastingText(before) === lastingText(after);
  if (path === at(plan.master)) return changesOnlyStatus(plan.master, phase.id, before, after);
  const notes = phase.file?.notes.output?.path;
  return notes !== undefined && path === at(notes) && !isPlanText(plan, notes);
}

function phaseOf(plan: Plan, { phase, variant }: OwnPhase): Phase | undefined {
  const keys = [idKey(phase), ...(variant === null ? [] : [idKey(`${phase}-${variant}`)])];
  return plan.phases.findLast(({ id }) => keys.includes(idKey(id)));
}

/** A file that has the name of a phase's file does not count as notes. */
const isPlanText = (plan: Plan, file: string) =>
  file === plan.master || plan.phases.some(({ path }) => path === file);

function changesOnlyStatus(path: string, id: string, before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) => {
    const row = parseMaster({ path, text }).rows.find((each) => idKey(each.id) === idKey(id));
    const lines = text.split('\n');
    const own = row && lines.splice(row.span.line - 1, 1).length === 1 ? rowText(row) : undefined;
    return { own, line: row?.span.line, rest: lines.join('\n') };
  });
  return old?.own !== undefined && JSON.stringify(old) === JSON.stringify(now);
}

const rowText = ({ id, title, path, outside, focus, risk, extra }: PhaseRow) =>
  JSON.stringify([id, title, path, outside, focus, risk, extra]);
