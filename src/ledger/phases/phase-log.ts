import * as z from 'zod';
import type { By } from '../../schema/actor.ts';
import {
  type NewPhaseRecord,
  type PhaseEntry,
  PhaseRecord,
  type PhaseRecordKind,
  type PhaseRecordOf,
} from '../../schema/phase-record.ts';
import type { Store, Tx } from '../engine/store.ts';
import { damaged, iso, storedJson } from '../engine/stored.ts';
import type { PhaseRecordRow, TaskRow } from '../engine/tables.ts';
import { type Redact, redactAll } from '../redact/redact.ts';
import { requireTask } from '../tasks/change-task.ts';
import { refuseUnsentAgent } from '../tasks/refuse-unsent-agent.ts';
import { requireFence } from '../tasks/task-machine.ts';
import { toTaskState } from '../tasks/task-row.ts';
import {
  insertPhaseRecord,
  selectIteration,
  selectPhaseRecords,
  selectPhaseRecordsWithin,
  selectStartedOn,
} from './phase-record-sql.ts';

/** What was done in each phase of a plan, in order: who started it, and what was implemented, reviewed and checked. */
export class PhaseLog {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Writes what `decide` returns for the records so far, in one transaction with reading them; undefined writes nothing.
   * `clean` returns a text as it is stored, without secrets. Throws if the fence belongs to an ended claim.
   */
  append(
    projectId: string,
    taskId: string,
    by: By,
    decide: (records: PhaseRecord[], clean: Redact) => NewPhaseRecord | undefined,
    fence?: number,
  ): Promise<PhaseRecord | undefined> {
    return this.#store.write(projectId, async (tx) => {
      const task = await requireRecordable(tx, taskId, by, fence);
      const records = (await selectPhaseRecords(tx, projectId, taskId)).map(toPhaseRecord);
      const added = decide(records, this.#redact);
      return added && toPhaseRecord(await this.#write(tx, task, added, by));
    });
  }

  /** Writes a record of the current iteration, whatever was recorded before. */
  async add(projectId: string, taskId: string, by: By, entry: PhaseEntry, fence?: number): Promise<void> {
    await this.#store.write(projectId, async (tx) => {
      const task = await requireRecordable(tx, taskId, by, fence);
      const iteration = await selectIteration(tx, taskId);
      await this.#write(tx, task, { ...entry, iteration }, by);
    });
  }

  async #write(
    tx: Tx,
    { id, title, status, assignee }: TaskRow,
    { kind, iteration, data, branch }: NewPhaseRecord,
    by: By,
  ): Promise<PhaseRecordRow> {
    const row = await insertPhaseRecord(tx, {
      project_id: tx.projectId,
      task_id: id,
      kind,
      iteration,
      branch: branch ?? null,
      at: tx.now,
      by: JSON.stringify(by),
      data: JSON.stringify(redactAll(data, this.#redact)),
    });
    tx.emit({ type: 'task.updated', by, data: { id, title, status, assignee, recorded: kind, iteration } });
    return row;
  }

  async list(projectId: string, taskId: string): Promise<PhaseRecord[]> {
    return (await selectPhaseRecords(this.#store.reader, projectId, taskId)).map(toPhaseRecord);
  }

  /** The records of one kind for all tasks whose ids begin with `within`. */
  async within<Kind extends PhaseRecordKind>(
    projectId: string,
    within: string,
    kind: Kind,
  ): Promise<PhaseRecordOf<Kind>[]> {
    const rows = await selectPhaseRecordsWithin(this.#store.reader, projectId, within, kind);
    return rows.map(toPhaseRecord).filter(isOf(kind));
  }

  /** The phase that was last started on a branch. */
  async startedOn(projectId: string, branch: string): Promise<PhaseRecordOf<'started'> | undefined> {
    const row = await selectStartedOn(this.#store.reader, projectId, branch);
    return (row ? [toPhaseRecord(row)] : []).find(isOf('started'));
  }
}

/** The task to record something about; throws if this caller may not. */
async function requireRecordable(
  tx: Tx,
  taskId: string,
  by: By,
  fence: number | undefined,
): Promise<TaskRow> {
  const task = await requireTask(tx, taskId);
  refuseUnsentAgent(by, task, 'record');
  requireFence(toTaskState(task), fence);
  return task;
}

const isOf =
  <Kind extends PhaseRecordKind>(kind: Kind) =>
  (record: PhaseRecord): record is PhaseRecordOf<Kind> =>
    record.kind === kind;

function toPhaseRecord(row: PhaseRecordRow): PhaseRecord {
  const what = `record ${row.id} of phase ${row.task_id}`;
  const fields = requiredFields(row.kind);
  if (!fields) throw damaged(what, `unknown kind "${row.kind}"`);
  return {
    id: Number(row.id),
    taskId: row.task_id,
    kind: row.kind,
    iteration: row.iteration,
    branch: row.branch,
    data: storedJson(row.data, what, fields),
    at: iso(row.at),
    by: storedJson(row.by, what),
  };
}

/** What the data of this kind contains at least; undefined if there is no such kind. */
function requiredFields(kind: string): string[] | undefined {
  const option = PhaseRecord.options.find(({ shape }) => shape.kind.value === kind);
  if (!option) return undefined;
  const fields = Object.entries(option.shape.data.shape);
  return fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([name]) => name);
}
