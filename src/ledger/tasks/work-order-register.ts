import type { By } from '../../schema/actor.ts';
import { Claim, type Task } from '../../schema/task.ts';
import { isAssignment, Work, type WorkOrder, WorkOrderInput } from '../../schema/work-order.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import type { Store, WantedGroup } from '../engine/store.ts';
import { iso, selectNow, stored } from '../engine/stored.ts';
import type { WorkOrderRow } from '../engine/tables.ts';
import { type Redact, redactWork } from '../redact/redact.ts';
import { fromNeedsText, needsText } from './abilities.ts';
import { closeAssignmentTask, ensureAssignmentTask } from './assignment-task.ts';
import { changeTask, requireTask } from './change-task.ts';
import { take } from './claim-task.ts';
import {
  selectAtHome,
  selectHeldWithin,
  selectIsWanted,
  selectWanted,
  selectWantedGroups,
  selectWantedHeld,
  selectWantedTask,
  updateHome,
  updateNeeds,
} from './wanted-task-sql.ts';
import { deleteWorkOrder, putWorkOrder, selectWorkOrder, selectWorkOrders } from './work-order-sql.ts';
import { ALIVE_MS } from './worker-register.ts';

/** What people asked workers to do, and which of it is ready. */
export class WorkOrderRegister {
  readonly #store: Store;
  readonly #redact: Redact;

  /** @internal */
  constructor(store: Store, redact: Redact) {
    this.#store = store;
    this.#redact = redact;
  }

  /**
   * Lets workers take these tasks, with the options they need. A newer order for the same tasks replaces an
   * older one.
   */
  async place(input: WorkOrderInput, by: By): Promise<void> {
    refuseAgent(by, 'ask workers to run something');
    const order = check(WorkOrderInput, input, 'Work order');
    const { projectId, scope, needs: abilities, title = scope } = order;
    const work = redactWork(order.work, this.#redact);
    const needs = needsText(abilities);
    await this.#store.jobs?.open({ projectId, needs });
    await this.#store.write(projectId, async (tx) => {
      const row = { project_id: projectId, scope, needs, work: JSON.stringify(work), at: tx.now };
      if (isAssignment(work)) await ensureAssignmentTask(tx, scope, this.#redact(title), by);
      await putWorkOrder(tx, { ...row, by: JSON.stringify(by) });
      await updateNeeds(tx, scope, needs);
      tx.emit({ type: 'work.updated', by, data: { scope, kind: work.kind, needs: fromNeedsText(needs) } });
    });
  }

  /** Workers stop work on these tasks and leave them alone. False if there was no such order. */
  withdraw(projectId: string, scope: string, by: By): Promise<boolean> {
    refuseAgent(by, 'stop workers');
    return this.#store.write(projectId, async (tx) => {
      const row = await selectWorkOrder(tx, projectId, [scope, scope]);
      if (!row) return false;
      const { work } = toWorkOrder(row);
      if (isAssignment(work)) await closeAssignmentTask(tx, scope, by);
      await deleteWorkOrder(tx, scope);
      for (const { id, fence } of await selectHeldWithin(tx, scope))
        await changeTask(tx, await requireTask(tx, id), { kind: 'release', fence }, by);
      await updateNeeds(tx, scope, null);
      const { kind } = work;
      tx.emit({ type: 'work.updated', by, data: { scope, kind, needs: null } });
      return true;
    });
  }

  /** The order that a task belongs to. */
  async find(projectId: string, taskId: string): Promise<WorkOrder | undefined> {
    const plan = taskId.slice(0, taskId.indexOf('/') + 1);
    const row = await selectWorkOrder(this.#store.reader, projectId, [taskId, plan]);
    return row && toWorkOrder(row);
  }

  /** Whether it is queued for workers, or one works on it. */
  async isUnderWay(projectId: string, scope: string): Promise<boolean> {
    return selectIsWanted(this.#store.reader, projectId, scope);
  }

  async list(projectId: string): Promise<WorkOrder[]> {
    return (await selectWorkOrders(this.#store.reader, projectId)).map(toWorkOrder);
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

function toWorkOrder({ project_id, scope, needs, work, by, at }: WorkOrderRow): WorkOrder {
  return {
    projectId: project_id,
    scope,
    needs: fromNeedsText(needs),
    work: stored(Work, JSON.parse(work), `work order ${scope}`),
    by: JSON.parse(by),
    at: iso(at),
  };
}
