import { thousands } from '../status/cost-words.ts';
import { cut, oneLine } from '../table.ts';

/** The status, as the live view shows it. */
export interface RunView {
  /** What is running, waiting or next; not the whole plan. */
  phases: readonly PhaseLine[];
  counts: Record<'total' | 'done' | PhaseState, number>;
  tokens: number;
  costUsd: number;
}

export interface PhaseLine {
  id: string;
  title: string;
  state: PhaseState;
  /** What its agent did last, if it runs here. */
  doing?: string;
  /** Why it stopped. */
  reason?: string;
  tokens: number;
}

/** In the order in which a person wants to see them. */
const states = ['asks', 'at_work', 'failed', 'next'] as const;
export type PhaseState = (typeof states)[number];

const signs: Record<PhaseState, string> = { asks: '?', at_work: '●', failed: '✗', next: '·' };

export interface Screen {
  columns: number;
  rows: number;
}

/** The lines of the live view: never wider than the screen, and at most half of its height. The last one has the totals. */
export function renderRun(view: RunView, { columns, rows }: Screen, isAsking = false): string[] {
  const room = Math.max(1, Math.floor(rows / 2) - 1);
  const inOrder = states.flatMap((state) => view.phases.filter((phase) => phase.state === state));
  return [...inOrder.slice(0, room).map(phaseLine), sums(view, isAsking)].map((line) =>
    cut(line, columns - 1),
  );
}

function phaseLine({ id, title, state, doing, reason, tokens }: PhaseLine): string {
  const more = state === 'asks' ? 'waiting for you' : (reason ?? doing);
  const spent = tokens > 0 ? `  ${thousands(tokens)} tokens` : '';
  return `${signs[state]} ${id.padEnd(5)} ${oneLine(title)}${spent}${more ? `  ${oneLine(more)}` : ''}`;
}

/** `isAsking`: one of those that wait for a person is on the screen. */
function sums({ counts, tokens, costUsd }: RunView, isAsking: boolean): string {
  const waiting = isAsking ? counts.asks - 1 : counts.asks;
  return [
    `${counts.done} of ${counts.total} done`,
    `${counts.at_work} working`,
    ...(waiting > 0 ? [isAsking ? `${waiting} more wait` : `${waiting} waiting for you`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(tokens > 0 ? [`${thousands(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [`$${costUsd.toFixed(2)}`] : []),
  ].join(' · ');
}
