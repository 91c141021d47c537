import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { Claim, type Task, WITHDRAWN } from '../../schema/task.ts';
import { Placing, type QueueOrder, TaskOptions } from '../../schema/work.ts';
import { refuseAgent } from '../access/refuse-agent.ts';
import { check } from '../check.ts';
import type { Store, Tx, WantedGroup } from '../engine/store.ts';
import { iso, selectNow, stored } from '../engine/stored.ts';
import type { TaskRow } from '../engine/tables.ts';
import { withdrawQuestions } from '../notifications/withdraw-questions.ts';
import { isFromWrongClock } from '../projects/project-clock.ts';
import { fromNeedsText, needsText } from './abilities.ts';
import { changeTask, requireTask } from './change-task.ts';
import { take } from './claim-task.ts';
import {
  selectAtHome,
  selectHeldWithin,
  selectIsNeeded,
  selectIsWanted,
  selectOrdered,
  selectOrders,
  selectWanted,
  selectWantedGroups,
  selectWantedHeld,
  selectWantedTask,
  updateHome,
  updateOptions,
  updatePaused,
  updateQueued,
  updateUnqueued,
} from './queue-sql.ts';
import { startAgain } from './start-again.ts';
import { toWork } from './task-row.ts';
import { selectTask } from './task-sql.ts';
import { ALIVE_MS } from './worker-register.ts';

/** What people left to workers, and which of it is ready. */
export class TaskQueue {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Lets workers take these tasks, in this way; the last wishes count. What is neither a plain task nor a phase starts
   * again if it has ended or failed.
   */
  async place(placing: Placing, by: By): Promise<void> {
    refuseAgent(by, 'ask workers to run something');
    const { projectId, scope, needs: abilities, options } = check(Placing, placing, 'Order');
    const needs = needsText(abilities);
    await this.#store.jobs?.open({ projectId, needs });
    await this.#store.write(projectId, async (tx) => {
      const task = await selectTask(tx, projectId, scope);
      if (task) await startAgain(tx, task, by);
      await updatePaused(tx, scope, false);
      await updateQueued(tx, scope, { needs, options: JSON.stringify(options), by: JSON.stringify(by) });
      await tell(tx, scope, { needs: abilities }, by);
    });
  }

  /** Keeps how a person wants these tasks done here, so that whoever resumes them does the same. */
  async keepOptions({ projectId, scope, options }: Omit<Placing, 'needs'>, by: By): Promise<void> {
    const kept = { options: JSON.stringify(check(TaskOptions, options, 'Options')), by: JSON.stringify(by) };
    await this.#store.write(projectId, (tx) => updateOptions(tx, scope, kept));
  }

  /** Whoever works on these tasks stops, and workers leave them alone. False if nobody did and they were not queued. */
  async stop(projectId: string, scope: string, by: By): Promise<boolean> {
    refuseAgent(by, 'stop work');
    return this.#store.write(projectId, async (tx) => {
      const isQueued = (await selectOrdered(tx, projectId, scope)) !== undefined;
      const isHeld = await releaseWithin(tx, scope, by);
      if (isQueued) {
        await updateUnqueued(tx, scope);
        await tell(tx, scope, { needs: null }, by);
      }
      return isQueued || isHeld;
    });
  }

  /** Whoever works on these tasks stops, and nobody takes them until they are resumed. False if there are none. */
  async pause(projectId: string, scope: string, by: By): Promise<boolean> {
    refuseAgent(by, 'pause work');
    return this.#store.write(projectId, async (tx) => {
      if (!(await updatePaused(tx, scope, true))) return false;
      await releaseWithin(tx, scope, by);
      await tell(tx, scope, { paused: true }, by);
      return true;
    });
  }

  /** Ends a pause. False if there are no such tasks. */
  async resume(projectId: string, scope: string, by: By): Promise<boolean> {
    refuseAgent(by, 'resume work');
    return this.#store.write(projectId, async (tx) => {
      if (!(await updatePaused(tx, scope, false))) return false;
      await tell(tx, scope, { paused: false }, by);
      return true;
    });
  }

  /**
   * A person no longer wants a task: whoever works on it stops, its questions leave the inbox, and what depends on it waits
   * until a person decides.
   */
  async withdraw(projectId: string, id: string, by: By): Promise<void> {
    refuseAgent(by, 'withdraw work');
    return this.#store.write(projectId, async (tx) => {
      const row = await requireTask(tx, id);
      if (row.status === 'closed') throw new FermataError('conflict', `${id} is already done.`);
      await withdrawQuestions(tx, id, `${id} was withdrawn.`, by);
      await changeTask(tx, await requireTask(tx, id), { kind: 'block', reason: WITHDRAWN }, by);
      await updateUnqueued(tx, id);
      await updatePaused(tx, id, false);
    });
  }

  /** How workers do a task, or the tasks of a plan; undefined if they are not queued. */
  async find(projectId: string, scope: string): Promise<QueueOrder | undefined> {
    const row = await selectOrdered(this.#store.reader, projectId, scope);
    return row && toOrder(row);
  }

  /** Whether it is queued for workers, or one works on it. */
  async isUnderWay(projectId: string, scope: string): Promise<boolean> {
    return selectIsWanted(this.#store.reader, projectId, scope);
  }

  /** Everything that a person ever queued or ran here, newest first; a plan is one of them. */
  async list(projectId: string): Promise<QueueOrder[]> {
    return (await selectOrders(this.#store.reader, projectId)).map(toOrder);
  }

  /** Whether anything unfinished is left to workers with exactly these abilities. */
  isWanted(abilities: readonly string[]): Promise<boolean> {
    return selectIsNeeded(this.#store.reader, needsText(abilities));
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
      const isHeld = lease_until === null || (lease_until > now && !isFromWrongClock(lease_until, now));
      if (dead === undefined && isHeld) continue;
      await this.#store.write(project_id, async (tx) => {
        await changeTask(tx, await requireTask(tx, id), { kind: 'reclaim', now: tx.now, dead }, by);
      });
    }
  }
}

async function releaseWithin(tx: Tx, scope: string, by: By): Promise<boolean> {
  const held = await selectHeldWithin(tx, scope);
  for (const row of held) await changeTask(tx, row, { kind: 'release', fence: row.fence }, by);
  return held.length > 0;
}

/** People hear of each task; of a plan, as of one thing. */
async function tell(
  tx: Tx,
  scope: string,
  change: { needs: string[] | null } | { paused: boolean },
  by: By,
): Promise<void> {
  const task = await selectTask(tx, tx.projectId, scope);
  const { kind = 'phase' as const, title = scope } = task ?? {};
  tx.emit({ type: 'task.updated', by, data: { id: scope, kind, title, ...change } });
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
