import type { Run, RunData } from '../../schema/run.ts';
import { iso, storedJson } from '../engine/stored.ts';
import type { RunRow } from '../engine/tables.ts';
import type { RunState } from './run-machine.ts';

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    projectId: row.project_id,
    taskId: row.task_id,
    agent: row.agent,
    source: row.source,
    sourceId: row.source_id,
    cwd: row.cwd,
    status: row.status,
    sessionId: row.session_id,
    data: toRunData(row),
    end: row.end === null ? null : storedJson(row.end, `the end of run ${row.id}`, ['reason', 'text']),
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

export function toRunData({ id, data }: RunRow): RunData {
  return storedJson(data, `the data of run ${id}`, ['for']);
}
