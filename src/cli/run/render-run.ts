import type { TaskStatus } from '../../schema/task.ts';
import { cut, oneLine } from '../table.ts';

/** One phase as the live view shows it. */
export interface PhaseLine {
  id: string;
  title: string;
  status: TaskStatus;
  /** What its agent did last, where it is at work here. */
  doing?: string;
  /** What it waits for, or why it stopped. */
  reason?: string;
  tokens: number;
  costUsd: number;
}

const signs: Record<TaskStatus, string> = { closed: '✓', in_progress: '●', blocked: '‖', open: '·' };
/** More phases than this are summed up: the view has to fit on the screen with room to spare. */
const MOST_LINES = 12;

/** The live view: what moves or waits first, then a line of sums. Nothing is wider than the terminal. */
export function renderRun(phases: readonly PhaseLine[], columns: number): string[] {
  const shown = [...phases].filter(({ status }) => status === 'in_progress' || status === 'blocked');
  const next = phases
    .filter(({ status }) => status === 'open')
    .slice(0, Math.max(0, MOST_LINES - shown.length));
  const lines = [...shown.slice(0, MOST_LINES), ...next].map((phase) => cut(phaseLine(phase), columns - 1));
  return [...lines, cut(sums(phases), columns - 1)];
}

function phaseLine({ id, title, status, doing, reason, tokens }: PhaseLine): string {
  const more = reason ?? doing;
  const spent = tokens > 0 ? `  ${thousands(tokens)} tokens` : '';
  return `${signs[status]} ${id.padEnd(5)} ${oneLine(title)}${spent}${more ? `  ${oneLine(more)}` : ''}`;
}

function sums(phases: readonly PhaseLine[]): string {
  const count = (status: TaskStatus) => phases.filter((phase) => phase.status === status).length;
  const cost = phases.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const tokens = phases.reduce((sum, phase) => sum + phase.tokens, 0);
  return [
    `${count('closed')} of ${phases.length} done`,
    `${count('in_progress')} at work`,
    `${count('blocked')} waiting`,
    ...(tokens > 0 ? [`${thousands(tokens)} tokens`] : []),
    ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
  ].join(' · ');
}

function thousands(tokens: number): string {
  return tokens < 10_000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}
