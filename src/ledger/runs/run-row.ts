import { type Run, RunData, RunEnding } from '../../schema/run.ts';
import { iso } from '../engine/iso.ts';
import { stored } from '../engine/stored.ts';
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
    end: row.end === null ? null : stored(RunEnding, JSON.parse(row.end), `the end of run ${row.id}`),
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
  const kept: OldData = JSON.parse(data);
  const what = `the data of run ${id}`;
  if (works.some((work) => work === kept.for)) return stored(RunData, kept, what);
  const old = RunData.safeParse(sorted(kept, source));
  return old.success ? old.data : stored(RunData, { ...kept, for: 'other' }, what);
}

const works = RunData.options.map(({ shape }) => shape.for.value);

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
