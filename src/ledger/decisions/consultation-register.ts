import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import {
  type Consultation,
  ConsultationData,
  ConsultationInput,
  ConsultationResult,
  type ConsultedRole,
} from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import { TaskInput } from '../../schema/task.ts';
import { check } from '../check.ts';
import { iso } from '../engine/iso.ts';
import type { Store, Tx } from '../engine/store.ts';
import { stored } from '../engine/stored.ts';
import type { ConsultationRow } from '../engine/tables.ts';
import { readCursor } from '../events/cursor.ts';
import { newId } from '../ids.ts';
import { type Redact, redactAll, redactTask } from '../redact/redact.ts';
import { addDependency, addTask } from '../tasks/add-task.ts';
import {
  finishConsultation,
  insertConsultation,
  selectConsultation,
  selectConsultations,
} from './consultation-sql.ts';

/** A task that a role proposes; `dependsOn` lists positions in the same list. */
export type ProposedTask = Omit<TaskInput, 'projectId' | 'id' | 'dependsOn'> & { dependsOn?: number[] };

const prefixes = { analyst: 'f', dreamer: 'd', planner: 'c' } as const satisfies Record<
  ConsultedRole,
  string
>;

/** What roles were asked to do, and the results. */
export class ConsultationRegister {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  begin(input: ConsultationInput, by: By): Promise<Consultation> {
    const given = check(ConsultationInput, input, 'Consultation');
    const id = newId(prefixes[given.role]);
    return this.#store.write(given.projectId, async (tx) => {
      const row: ConsultationRow = {
        id,
        project_id: given.projectId,
        role: given.role,
        subject: given.subject ?? id,
        text: this.#redact(given.text),
        status: 'open',
        data: JSON.stringify(given.data ?? {}),
        result: null,
        created_at: tx.now,
        created_by: JSON.stringify(by),
        updated_at: tx.now,
      };
      await insertConsultation(tx, row);
      const { role, subject, status } = row;
      tx.emit({ type: 'consultation.updated', by, data: { id, role, subject, status } });
      return toConsultation(row);
    });
  }

  async get(projectId: string, id: string): Promise<Consultation> {
    const row = await selectConsultation(this.#store.reader, projectId, id);
    if (!row)
      throw new FermataError(
        'not_found',
        `There is no "${id}" in this project. "${cmd`feedback list`}" lists the feedback.`,
      );
    return toConsultation(row);
  }

  /** Newest first. */
  async list(projectId: string, role: ConsultedRole, limit = 1000, after?: string): Promise<Consultation[]> {
    const page = { limit, after: after === undefined ? undefined : readCursor(after) };
    return (await selectConsultations(this.#store.reader, projectId, role, page)).map(toConsultation);
  }

  /** Stores the result and adds the tasks in one transaction, only once even if several processes try. */
  finish(
    projectId: string,
    id: string,
    result: ConsultationResult,
    by: By,
    tasks: ProposedTask[] = [],
  ): Promise<Consultation> {
    const clean = redactAll(result, this.#redact) as typeof result;
    return this.#store.write(projectId, async (tx) => {
      const ids = await addTasks(tx, tasks, this.#redact, by);
      const whole = { ...clean, ...(tasks.length > 0 ? { tasks: ids } : {}) };
      if (!(await finishConsultation(tx, id, JSON.stringify(whole)))) {
        throw new FermataError('conflict', `${id} is already done, or unknown in this project.`);
      }
      const row = await selectConsultation(tx, projectId, id);
      if (!row) throw new FermataError('not_found', `There is no ${id} in this project.`);
      const { role, subject, status } = row;
      tx.emit({ type: 'consultation.updated', by, data: { id, role, subject, status, result: whole } });
      return toConsultation(row);
    });
  }
}

/** Adds all tasks first, so that each may depend on any other. */
async function addTasks(tx: Tx, tasks: ProposedTask[], redact: Redact, by: By): Promise<string[]> {
  const ids: string[] = [];
  for (const { dependsOn: _, ...task } of tasks) {
    const input = check(TaskInput, { ...task, projectId: tx.projectId }, 'Task');
    ids.push(await addTask(tx, redactTask(input, redact), by));
  }
  for (const [index, { dependsOn = [] }] of tasks.entries()) {
    for (const position of dependsOn) {
      await addDependency(tx, ids[index] ?? '', ids[position] ?? `number ${position + 1}`);
    }
  }
  return ids;
}

function toConsultation(row: ConsultationRow): Consultation {
  return {
    id: row.id,
    projectId: row.project_id,
    role: row.role,
    subject: row.subject,
    text: row.text,
    status: row.status,
    data: stored(ConsultationData, JSON.parse(row.data), `the data of ${row.id}`),
    result:
      row.result === null
        ? null
        : stored(ConsultationResult, JSON.parse(row.result), `the result of ${row.id}`),
    createdAt: iso(row.created_at),
    createdBy: JSON.parse(row.created_by),
    updatedAt: iso(row.updated_at),
  };
}
