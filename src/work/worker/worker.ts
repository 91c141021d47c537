import { hostname } from 'node:os';
import { homeId, processName } from '../../agents/run/lease.ts';
import { retry, schedules } from '../../files/retry.ts';
import type { JobQueue } from '../../ledger/engine/store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { SEEN_MS } from '../../ledger/tasks/worker-register.ts';
import type { WorkerInput } from '../../schema/work.ts';
import { deadlineJob } from '../jobs/deadlines.ts';
import { type Job, startJobs } from '../jobs/jobs.ts';
import { environmentFault, ModelOutage } from '../run/faults.ts';
import { runLoop } from '../run/task-loop.ts';
import { WakeSignal } from '../run/wake-signal.ts';
import { performTask } from './perform-task.ts';
import type { WorkerParts } from './worker-parts.ts';
import { WorkerTasks } from './worker-tasks.ts';

export interface WorkerOptions {
  name: string;
  version: string;
  /** How many tasks run at once. */
  slots: number;
  abilities: string[];
  /** The ids of the only projects that it serves; null for all. */
  projects: string[] | null;
  /** Stops it cleanly: agents save their sessions, and it releases its tasks. */
  signal: AbortSignal;
}

/** Takes queued work that this worker can do, until the signal. */
export async function runWorker(parts: WorkerParts, options: WorkerOptions): Promise<void> {
  const { ledger, settings, who: by } = parts;
  const { name, version, slots, abilities, projects, signal } = options;
  const home = homeId(settings.home.value);
  const self = { id: processName(), home, name, host: hostname(), abilities, slots, projects, version };
  const tell = (error: unknown) => parts.report({ kind: 'notice', text: (error as Error).message });
  const supervision = await retry(
    schedules.lockedLedger,
    ({ error }) => environmentFault(error) !== undefined,
    async () => {
      await ledger.workers.seen(self);
      return ledger.jobs?.supervise();
    },
    { signal, onRetry: ({ error }, failures) => failures === 1 && tell(error) },
  );
  const regular = ledger.jobs ? sharedDeadlineJob(ledger, ledger.jobs) : deadlineJob(ledger);
  const jobs = startJobs(ledger, [presenceJob(ledger, self), regular], tell);
  try {
    await runLoop({
      ...{ ledger, by, signal, parallel: slots },
      wake: new WakeSignal((ending) => ledger.events.changes(ending), signal),
      source: new WorkerTasks({ ledger, by, home, abilities, projects }),
      execute: (held) => performTask(parts, held),
      onFault: (fault, task) => {
        const text = `${fault} Trying again …`;
        parts.report(
          task ? { kind: 'phase', task: task.id, phase: task.id, text } : { kind: 'notice', text },
        );
      },
      onOutage: (outage) => {
        const what = outage instanceof ModelOutage ? outage.what : outage.message;
        parts.report({ kind: 'notice', text: `${what} ${PAUSES}` });
      },
      onLost: ({ id: task }, why) => parts.report({ kind: 'phase_lost', task, phase: task, why }),
    });
  } finally {
    await jobs.stop();
    await supervision?.stop();
    await ledger.workers.gone(self.id);
  }
}

const PAUSES =
  'This worker keeps all sessions and releases the task. It tries again in 5 seconds, then less often, down to every 5 minutes.';

function presenceJob({ workers }: Ledger, self: WorkerInput): Job {
  return {
    byTime: true,
    async turn() {
      await workers.seen(self);
      return Date.now() + SEEN_MS;
    },
  };
}

/** One worker does it each minute; the store's clock decides which. */
function sharedDeadlineJob({ notifications }: Ledger, jobs: JobQueue): Job {
  return {
    byTime: true,
    async turn() {
      if (await jobs.takesTurn()) await notifications.applyDeadlines();
      return Date.now() + SEEN_MS;
    },
  };
}
