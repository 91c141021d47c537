import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { Claim, isAsking, type Task, type TaskKind, WITHDRAWN } from '../../schema/task.ts';
import { type AddedWork, Placing, type QueueOrder, TaskOptions, taskInputs } from '../../schema/work.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import type { Store, Tx, WantedGroup } from '../engine/store.ts';
import { iso, selectNow, stored } from '../engine/stored.ts';
import type { TaskRow } from '../engine/tables.ts';
import { withdrawQuestions } from '../notifications/withdraw-questions.ts';
import { type Redact, redactInput } from '../redact/redact.ts';
import { fromNeedsText, needsText } from './abilities.ts';
import { addTask } from './add-task.ts';
import { changeTask, requireTask } from './change-task.ts';
import { take } from './claim-task.ts';
import {
  selectAtHome,
  selectHeldWithin,
  selectIsWanted,
  selectOrdered,
  selectOrders,
  selectWanted,
  selectWantedGroups,
  selectWantedHeld,
  selectWantedTask,
  updateHome,
  updateQueued,
} from './queue-sql.ts';
import { addToUnfinished } from './task-dependency-sql.ts';
import { toTaskState, toWork } from './task-row.ts';
import { selectTask, updateInput } from './task-sql.ts';
import { ALIVE_MS } from './worker-register.ts';

/** What people left to workers, and which of it is ready. */
export class TaskQueue {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Lets workers take these tasks, in this way; the last wishes count. With `added`, the task is added if it is missing.
   * What is neither a plain task nor a phase starts again if it has ended or failed.
   */
  async place(placing: Placing, by: By, added?: AddedWork): Promise<void> {
    refuseAgent(by, 'ask workers to run something');
    const { projectId, scope, needs: abilities, options, title = scope } = check(Placing, placing, 'Order');
    const work = added && { ...added, input: redactInput(checkedInput(added), this.#redact) };
    const needs = needsText(abilities);
    await this.#store.jobs?.open({ projectId, needs });
    await this.#store.write(projectId, async (tx) => {
      await startAgain(tx, scope, work?.kind, by);
      if (work) await putTask(tx, scope, this.#redact(title), work as AddedWork, by);
      await updateQueued(tx, scope, { needs, options: JSON.stringify(options), by: JSON.stringify(by) });
      await tell(tx, scope, abilities, by);
    });
  }

  /** Workers stop work on these tasks and leave them alone. False if they were not queued. */
  withdraw(projectId: string, scope: string, by: By): Promise<boolean> {
    refuseAgent(by, 'stop workers');
    return this.#store.write(projectId, async (tx) => {
      const row = await selectOrdered(tx, projectId, scope);
      if (!row || row.needs === null) return false;
      if (isAdded(row.kind)) await end(tx, row, by);
      if (!isPlainKind(row.kind))
        await withdrawQuestions(tx, row.id, `${row.id} was withdrawn from workers.`, by);
      for (const { id, fence } of await selectHeldWithin(tx, scope))
        await changeTask(tx, await requireTask(tx, id), { kind: 'release', fence }, by);
      await updateQueued(tx, scope, null);
      await tell(tx, scope, null, by);
      return true;
    });
  }

  /** What a person wants done with a task, or with the tasks of a plan. */
  async find(projectId: string, scope: string): Promise<QueueOrder | undefined> {
    const row = await selectOrdered(this.#store.reader, projectId, scope);
    return row && toOrder(row);
  }

  /** Whether it is queued for workers, or one works on it. */
  async isUnderWay(projectId: string, scope: string): Promise<boolean> {
    return selectIsWanted(this.#store.reader, projectId, scope);
  }

  /** Newest first; a plan is one of them. */
  async list(projectId: string): Promise<QueueOrder[]> {
    return (await selectOrders(this.#store.reader, projectId)).map(toOrder);
  }

  /** The projects and abilities that have ready tasks. */
  groups(): Promise<WantedGroup[]> {
    return selectWantedGroups(this.#store.reader);
  }

  /** Ready tasks whose agents' sessions are in this home. */
  async atHome(home: string): Promise<(WantedGroup & { id: string })[]> {
    const rows = await selectAtHome(this.#store.reader, home);
    return rows.map(({ project_id, id, needs }) => ({ projectId: project_id, id, needs: needs ?? '' }));
  }

  /**
   * Claims a ready task for a worker: the first of a group, or this one. Undefined if there is none, or if a live
   * worker has the session of its agent.
   */
  async take(
    { projectId, needs, id }: WantedGroup & { id?: string },
    home: string,
    wanted: Claim,
    by: By,
  ): Promise<Task | undefined> {
    const claim = check(Claim, wanted, 'Claim');
    return this.#store.write(projectId, async (tx) => {
      const taker = { home, aliveSince: tx.now - ALIVE_MS };
      const row = await (id === undefined ? selectWanted(tx, needs, taker) : selectWantedTask(tx, id, taker));
      if (!row) return undefined;
      await updateHome(tx, row.id, home);
      return take(tx, row, claim, by);
    });
  }

  /** Releases what gone workers held, judged by their leases or by `isDead`. */
  async releaseAbandoned(isDead: (worker: string) => boolean, by: By): Promise<void> {
    const { reader } = this.#store;
    const now = await selectNow(reader);
    for (const { project_id, id, assignee, lease_until } of await selectWantedHeld(reader)) {
      const dead = assignee !== null && isDead(assignee) ? assignee : undefined;
      if (dead === undefined && (lease_until === null || lease_until > now)) continue;
      await this.#store.write(project_id, async (tx) => {
        await changeTask(tx, await requireTask(tx, id), { kind: 'reclaim', now: tx.now, dead }, by);
      });
    }
  }
}

const checkedInput = ({ kind, input }: AddedWork) => check<object>(taskInputs[kind], input, `Work (${kind})`);

const isPlainKind = (kind: TaskKind) => kind === 'task' || kind === 'phase';

/** Tasks that exist only because somebody queued them. */
const isAdded = (kind: TaskKind) => !isPlainKind(kind) && !['feedback', 'prd', 'decompose'].includes(kind);

/** `wanted`: the kind that it has to be. */
async function startAgain(tx: Tx, id: string, wanted: TaskKind | undefined, by: By): Promise<void> {
  const row = await selectTask(tx, tx.projectId, id);
  if (!row) return;
  const { status, assignee, kind } = row;
  if (wanted !== undefined && kind !== wanted)
    throw new FermataError('conflict', `There is another task ${id}, which a person or an agent added.`);
  if (isPlainKind(kind)) return;
  if (status === 'in_progress')
    throw new FermataError('conflict', `${assignee} is already working on ${id}. Withdraw it first.`);
  if (status === 'closed') {
    await changeTask(tx, row, { kind: 'reopen', openQuestions: 0 }, by);
    await addToUnfinished(tx, id, 1);
  }
  if (status === 'blocked' && !isAsking(toTaskState(row)))
    await changeTask(tx, row, { kind: 'unblock', openQuestions: 0 }, by);
}

async function putTask(tx: Tx, id: string, title: string, work: AddedWork, by: By): Promise<void> {
  if (await selectTask(tx, tx.projectId, id)) await updateInput(tx, id, JSON.stringify(work.input));
  else await addTask(tx, { projectId: tx.projectId, id, title }, by, work);
}

/** A worker that has started it stops; what depends on it waits until a person decides. */
async function end(tx: Tx, row: TaskRow, by: By): Promise<void> {
  if (row.status !== 'closed') await changeTask(tx, row, { kind: 'block', reason: WITHDRAWN }, by);
}

/** People hear of each task; of a plan, as of one thing. */
async function tell(tx: Tx, scope: string, needs: string[] | null, by: By): Promise<void> {
  const task = await selectTask(tx, tx.projectId, scope);
  const { kind = 'phase' as const, title = scope } = task ?? {};
  tx.emit({ type: 'task.updated', by, data: { id: scope, kind, title, needs } });
}

function toOrder(row: TaskRow): QueueOrder {
  const { project_id, id, needs, options, requested_by, requested_at } = row;
  return {
    projectId: project_id,
    scope: row.kind === 'phase' ? id.slice(0, id.indexOf('/') + 1) : id,
    needs: fromNeedsText(needs ?? ''),
    work: toWork(row),
    options: stored(TaskOptions, JSON.parse(options ?? '{}'), `the options of task ${id}`),
    by: JSON.parse(requested_by ?? '{}'),
    at: iso(requested_at ?? 0),
  };
}
