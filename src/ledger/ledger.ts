import { isServer } from '../schema/address.ts';
import { CredentialRegister } from './access/credential-register.ts';
import { TrustRegister } from './access/trust-register.ts';
import { DecisionLog } from './decisions/decision-log.ts';
import type { Patience } from './engine/availability.ts';
import type { JobQueue, Store } from './engine/store.ts';
import { EventLog } from './events/event-log.ts';
import { FigureReader } from './figures/figures.ts';
import { NoticeOutbox } from './notices/notice-outbox.ts';
import { NotificationService } from './notifications/notification-service.ts';
import { ApproachLog } from './phases/approach-log.ts';
import { PhaseLog } from './phases/phase-log.ts';
import { WorktreeRegister } from './phases/worktree-register.ts';
import { CloneRegister } from './projects/clone-register.ts';
import { ProjectRegister } from './projects/project-register.ts';
import { redactor } from './redact/redact.ts';
import { RunService } from './runs/run-service.ts';
import { TaskQueue } from './tasks/task-queue.ts';
import { TaskService } from './tasks/task-service.ts';
import { WorkerRegister } from './tasks/worker-register.ts';

/** The durable store of everything that needs a person, and of the tasks that wait for them. */
export interface Ledger {
  readonly place: string;
  readonly projects: ProjectRegister;
  readonly notifications: NotificationService;
  readonly tasks: TaskService;
  readonly phases: PhaseLog;
  readonly approaches: ApproachLog;
  readonly runs: RunService;
  readonly worktrees: WorktreeRegister;
  readonly clones: CloneRegister;
  readonly events: EventLog;
  readonly decisions: DecisionLog;
  readonly credentials: CredentialRegister;
  readonly notices: NoticeOutbox;
  readonly trust: TrustRegister;
  readonly queue: TaskQueue;
  readonly workers: WorkerRegister;
  /** Tells workers about ready tasks; undefined if they look at the tables themselves. @internal */
  readonly jobs?: JobQueue;
  readonly figures: FigureReader;
  /** The same ledger for a caller that cannot wait: a call fails if the store does not answer within `deadline` ms. */
  within(deadline: number): Ledger;
  close(): Promise<void>;
}

/**
 * Opens the ledger in a file, or on PostgreSQL with a `postgres://` URL. `patience` is how long calls wait for an
 * unavailable server; without it, they fail at once.
 *
 * ```ts
 * const ledger = await openLedger('/home/me/.local/share/fermata/ledger.db');
 * ```
 */
export async function openLedger(
  store: string,
  env: Record<string, string | undefined> = process.env,
  patience?: Patience,
): Promise<Ledger> {
  return ledgerOn(await openStore(store, patience), env);
}

export function ledgerOn(store: Store, env: Record<string, string | undefined> = process.env): Ledger {
  const redact = redactor(env);
  return {
    place: store.place,
    within: (deadline) => ledgerOn(store.within(deadline), env),
    projects: new ProjectRegister(store),
    notifications: new NotificationService(store, redact),
    tasks: new TaskService(store, redact),
    phases: new PhaseLog(store, redact),
    approaches: new ApproachLog(store, redact),
    runs: new RunService(store, redact),
    worktrees: new WorktreeRegister(store),
    clones: new CloneRegister(store),
    events: new EventLog(store),
    decisions: new DecisionLog(store),
    credentials: new CredentialRegister(store),
    notices: new NoticeOutbox(store),
    trust: new TrustRegister(store),
    queue: new TaskQueue(store),
    workers: new WorkerRegister(store),
    ...(store.jobs ? { jobs: store.jobs } : {}),
    figures: new FigureReader(store),
    close: () => store.close(),
  };
}

/** Loads only the store in use. */
export async function openStore(store: string, patience?: Patience): Promise<Store> {
  if (isServer(store)) return (await import('./engine/postgres.ts')).openPostgres(store, patience);
  return (await import('./engine/sqlite.ts')).openSqlite(store);
}
