import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import {
  type Consultation,
  type ConsultationChange,
  ConsultationInput,
  type ConsultationOf,
  type ConsultedRole,
} from '../../schema/consultation.ts';
import { FermataError } from '../../schema/error.ts';
import { TaskInput } from '../../schema/task.ts';
import { check } from '../check.ts';
import type { Store, Tx } from '../engine/store.ts';
import { iso, readCursor, storedJson } from '../engine/stored.ts';
import type { ConsultationRow } from '../engine/tables.ts';
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

  begin<Role extends ConsultedRole>(
    input: Extract<ConsultationInput, { role: Role }>,
    by: By,
  ): Promise<ConsultationOf<Role>> {
    const given = check(ConsultationInput, input, 'Consultation');
    const id = newId(prefixes[given.role]);
    return this.#store.write(given.projectId, async (tx) => {
      const row: ConsultationRow = {
        id,
        project_id: given.projectId,
        role: given.role,
        subject: given.role === 'analyst' ? id : given.subject,
        text: this.#redact(given.text),
        status: 'open',
        data: JSON.stringify(given.data ?? {}),
        result: null,
        created_at: tx.now,
        created_by: JSON.stringify(by),
        updated_at: tx.now,
      };
      await insertConsultation(tx, row);
      const begun = toConsultation(row);
      const { result: _, ...change } = changeOf(begun);
      tx.emit({ type: 'consultation.updated', by, data: change });
      return only(input.role, begun);
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
  async list<Role extends ConsultedRole>(
    projectId: string,
    role: Role,
    limit = 1000,
    after?: string,
  ): Promise<ConsultationOf<Role>[]> {
    const page = { limit, after: after === undefined ? undefined : readCursor(after) };
    const rows = await selectConsultations(this.#store.reader, projectId, role, page);
    return rows.map((row) => only(role, toConsultation(row)));
  }

  /** Stores the result and adds the tasks in one transaction, only once even if several processes try. */
  finish<Role extends ConsultedRole>(
    { projectId, id, role }: { projectId: string; id: string; role: Role },
    result: NonNullable<ConsultationOf<Role>['result']>,
    by: By,
    tasks: ProposedTask[] = [],
  ): Promise<ConsultationOf<Role>> {
    const clean = redactAll(result, this.#redact);
    return this.#store.write(projectId, async (tx) => {
      const ids = await addTasks(tx, tasks, this.#redact, by);
      const whole = Object.assign({}, clean, tasks.length > 0 ? { tasks: ids } : {});
      if (!(await finishConsultation(tx, id, JSON.stringify(whole)))) {
        throw new FermataError('conflict', `${id} is already done, or unknown in this project.`);
      }
      const row = await selectConsultation(tx, projectId, id);
      if (!row) throw new FermataError('not_found', `There is no ${id} in this project.`);
      const done = toConsultation(row);
      tx.emit({ type: 'consultation.updated', by, data: changeOf(done) });
      return only(role, done);
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
  const what = `consultation ${row.id}`;
  return {
    id: row.id,
    projectId: row.project_id,
    role: row.role,
    subject: row.subject,
    text: row.text,
    status: row.status,
    data: storedJson(row.data, what),
    result: row.result === null ? null : storedJson(row.result, what),
    createdAt: iso(row.created_at),
    createdBy: storedJson(row.created_by, what),
    updatedAt: iso(row.updated_at),
  };
}

function only<Role extends ConsultedRole>(role: Role, consultation: Consultation): ConsultationOf<Role> {
  const isOf = (each: Consultation): each is ConsultationOf<Role> => each.role === role;
  if (isOf(consultation)) return consultation;
  throw new FermataError('not_found', `${consultation.id} was not given to the ${role}.`);
}

/** The fields that the history tells. */
function changeOf({
  projectId: _,
  text: __,
  data: ___,
  createdAt: ____,
  createdBy: _____,
  updatedAt: ______,
  ...change
}: Consultation): ConsultationChange {
  return change;
}
