/** A project, and abilities that a ready task of it needs. */
export interface WantedGroup {
  projectId: string;
  needs: string;
}

/** "Look at this task": all that a job says. Who may work on it is decided by the task's claim alone. */
export interface QueuedJob extends WantedGroup {
  id: string;
  taskId: string;
}

/** Brings ready tasks to the attention of workers. A job that is lost or comes twice does no harm. */
export interface JobQueue {
  /** Makes sure that there is a queue for such tasks. */
  open(group: WantedGroup): Promise<void>;
  /** Takes the next job of a queue; if it is neither `done` nor `failed` within a minute, another worker gets it. */
  take(group: WantedGroup): Promise<QueuedJob | undefined>;
  done(job: QueuedJob): Promise<void>;
  /** It is tried again later, a few times, and then kept in a queue of dead letters. */
  failed(job: QueuedJob, reason: string): Promise<void>;
  /** How many jobs are in the queue of dead letters. */
  countDead(): Promise<number>;
  /** Takes its turn in what jobs need by time (retries, clean-up, the clock), until stopped. */
  supervise(): Promise<{ stop(): Promise<void> }>;
  /** True for one of all workers each minute: it does what has to be done regularly. */
  takesTurn(): Promise<boolean>;
}
