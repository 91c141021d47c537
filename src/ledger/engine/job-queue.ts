/** A project, and the abilities that one of its ready tasks needs. */
export interface WantedGroup {
  projectId: string;
  needs: string;
}

/** A job only says "look at this task". Who may work on it is decided by the task's claim. */
export interface QueuedJob extends WantedGroup {
  id: string;
  taskId: string;
}

/** Tells workers about ready tasks. A lost or duplicate job does no harm. */
export interface JobQueue {
  /** Creates or updates its own tables, as their owner. */
  install(): Promise<void>;
  /** Creates the queue for such tasks if it is missing. */
  open(group: WantedGroup): Promise<void>;
  /** Takes the next job of a queue. If it is neither `done` nor `failed` within a minute, another worker gets it. */
  take(group: WantedGroup): Promise<QueuedJob | undefined>;
  done(job: QueuedJob): Promise<void>;
  /** The job is retried a few times and then moved to the dead-letter queue. */
  failed(job: QueuedJob, reason: string): Promise<void>;
  /** How many jobs are in the dead-letter queue. */
  countDead(): Promise<number>;
  /** Takes part in the timed work of jobs (retries, clean-up, the clock) until stopped. */
  supervise(): Promise<{ stop(): Promise<void> }>;
  /** True for one of all workers each minute, which then does the regular work. */
  takesTurn(): Promise<boolean>;
}
