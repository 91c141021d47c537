import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';

export interface Segment {
  kind: 'work' | 'wait';
  from: number;
  to: number;
}

/** A run from its start to its end, or to now, with its waits for a person. Waits may overlap. */
export function timeline(
  run: Pick<Run, 'startedAt' | 'endedAt'>,
  questions: readonly Pick<Notification, 'createdAt' | 'resolvedAt'>[],
  now: number,
): Segment[] {
  const start = Date.parse(run.startedAt);
  const end = Math.max(start, run.endedAt === null ? now : Date.parse(run.endedAt));
  const waits = questions
    .map(({ createdAt, resolvedAt }) => ({
      from: Math.max(start, Date.parse(createdAt)),
      to: Math.min(end, resolvedAt === undefined ? end : Date.parse(resolvedAt)),
    }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
  const segments: Segment[] = [];
  let at = start;
  for (const { from, to } of waits) {
    if (to <= at) continue;
    if (from > at) segments.push({ kind: 'work', from: at, to: from });
    const last = segments.at(-1);
    if (last?.kind === 'wait' && last.to === Math.max(at, from)) last.to = to;
    else segments.push({ kind: 'wait', from: Math.max(at, from), to });
    at = to;
  }
  if (at < end || segments.length === 0) segments.push({ kind: 'work', from: at, to: end });
  return segments;
}

export function timeOf(kind: Segment['kind'], segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + (segment.kind === kind ? segment.to - segment.from : 0), 0);
}
