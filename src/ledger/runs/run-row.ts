import { type Run, RunData, type RunEnding } from '../../schema/run.ts';
import { iso } from '../engine/iso.ts';
import { stored, storedJson } from '../engine/stored.ts';
import type { RunRow } from '../engine/tables.ts';
import type { RunState } from './run-machine.ts';

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    projectId: row.project_id,
    agent: row.agent,
    source: row.source,
    sourceId: row.source_id,
    cwd: row.cwd,
    status: row.status,
    sessionId: row.session_id,
    data: toRunData(row),
    end: row.end === null ? null : toRunEnding(row.id, row.end),
    holder: row.holder,
    leaseUntil: row.lease_until === null ? null : iso(row.lease_until),
    fence: row.fence,
    startedAt: iso(row.started_at),
    endedAt: row.ended_at === null ? null : iso(row.ended_at),
  };
}

export function toRunState(row: RunRow): RunState {
  const { id, holder, fence } = row;
  return { id, status: row.status, holder, leaseUntil: row.lease_until, fence };
}

export function toRunData({ id, source, data }: RunRow): RunData {
  const what = `the data of run ${id}`;
  const kept = storedJson(data, what);
  if (RunData.options.some(({ shape }) => shape.for.value === kept.for)) return kept;
  const old = RunData.safeParse(sorted(kept, source));
  return old.success ? old.data : stored(RunData, { ...kept, for: 'other' }, what);
}

/** The first versions stored no text. */
function toRunEnding(id: string, end: string): RunEnding {
  return { text: '', ...storedJson(end, `the end of run ${id}`, ['reason', 'message']) };
}

/** Older versions did not store what a run is for. The command that started it left its name or other marks. */
interface OldData {
  for?: unknown;
  command?: unknown;
  consultation?: unknown;
}

const firstWork = { purpose: 'work' };

function sorted(kept: OldData, source: Run['source']): OldData {
  if (kept.command !== undefined) return { ...kept, for: kept.command };
  if (kept.consultation !== undefined) return { ...kept, for: 'role' };
  return source === 'execute' ? { ...firstWork, ...kept, for: 'task' } : { ...kept, for: 'other' };
}
