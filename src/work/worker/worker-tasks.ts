import { isDeadHolder, PROCESS_LEASE_SECONDS, processName } from '../../agents/run/lease.ts';
import type { WantedGroup } from '../../ledger/engine/store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { meets } from '../../ledger/tasks/abilities.ts';
import type { By } from '../../schema/actor.ts';
import type { Task } from '../../schema/task.ts';
import type { TaskSource } from '../run/task-loop.ts';

export interface WorkerTasksOptions {
  ledger: Ledger;
  by: By;
  /** Where the sessions of this worker's agents are. */
  home: string;
  abilities: readonly string[];
  /** The only projects that it serves; null for all. */
  projects: readonly string[] | null;
}

/** How often to check the tables for what no job announced: expired leases and lost jobs. */
const SWEEP_MS = 4000;

/**
 * Everything that people queued and this worker can do. A job of the store says where to look; on a store without jobs,
 * we check the tables each time. A task's claim alone decides who gets it.
 */
export class WorkerTasks implements TaskSource {
  readonly #options: WorkerTasksOptions;
  readonly #claim = { worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS };
  #swept = 0;
  /** The project that had the last turn, so that no project waits for all work of another. */
  #last = '';

  constructor(options: WorkerTasksOptions) {
    this.#options = options;
  }

  async take(): Promise<Task | undefined> {
    const { ledger, by, home } = this.#options;
    const { queue } = ledger;
    for (const task of (await queue.atHome(home)).filter((each) => this.#may(each))) {
      const taken = await queue.take(task, home, this.#claim, by);
      if (taken) return taken;
    }
    const sweeps = ledger.jobs === undefined || Date.now() - this.#swept >= SWEEP_MS;
    if (sweeps) await this.#sweep();
    for (const group of this.#inTurn(await queue.groups())) {
      const taken = (await this.#fromJobs(group)) ?? (sweeps ? await this.#fromTables(group) : undefined);
      if (!taken) continue;
      this.#last = group.projectId;
      return taken;
    }
    return undefined;
  }

  /** Detects dead workers of this machine before their leases expire. */
  async #sweep(): Promise<void> {
    const { ledger, by } = this.#options;
    this.#swept = Date.now();
    await ledger.workers.forgetDead(isDeadHolder);
    await ledger.queue.releaseAbandoned(isDeadHolder, by);
  }

  /** More tasks may always come. */
  isOver = async () => false;

  #may({ projectId, needs }: WantedGroup): boolean {
    const { abilities, projects } = this.#options;
    return meets(abilities, needs) && (projects === null || projects.includes(projectId));
  }

  #inTurn(groups: WantedGroup[]): WantedGroup[] {
    const mine = groups.filter((group) => this.#may(group));
    const isAfter = ({ projectId }: WantedGroup) => projectId > this.#last;
    return [...mine.filter(isAfter), ...mine.filter((group) => !isAfter(group))];
  }

  async #fromJobs(group: WantedGroup): Promise<Task | undefined> {
    const { ledger, by, home } = this.#options;
    const { jobs } = ledger;
    for (;;) {
      const job = await jobs?.take(group);
      if (!jobs || !job) return undefined;
      try {
        const taken = await ledger.queue.take({ ...group, id: job.taskId }, home, this.#claim, by);
        await jobs.done(job);
        if (taken) return taken;
      } catch (error) {
        // So that the job is retried. If the store is unavailable, this fails too, but then the job expires and
        // is retried anyway.
        await jobs.failed(job, (error as Error).message).catch(() => undefined);
        throw error;
      }
    }
  }

  #fromTables(group: WantedGroup): Promise<Task | undefined> {
    const { ledger, by, home } = this.#options;
    return ledger.queue.take(group, home, this.#claim, by);
  }
}
