import { ApproachLog } from './approach-log.ts';
import { CloneRegister } from './clone-register.ts';
import { ConsultationRegister } from './consultation-register.ts';
import { CredentialRegister } from './credential-register.ts';
import { DecisionLog } from './decision-log.ts';
import { EventLog } from './event-log.ts';
import { FigureReader } from './figures.ts';
import { NoticeOutbox } from './notice-outbox.ts';
import { NotificationService } from './notification-service.ts';
import { PhaseLog } from './phase-log.ts';
import { PlanOrigins } from './plan-origins.ts';
import { ProjectRegister } from './project-register.ts';
import { redactor } from './redact.ts';
import { RunService } from './run-service.ts';
import type { Patience } from './store/availability.ts';
import type { JobQueue } from './store/job-queue.ts';
import type { Store } from './store/store.ts';
import { TaskService } from './task-service.ts';
import { TrustRegister } from './trust-register.ts';
import { WorkOrderRegister } from './work-order-register.ts';
import { WorkerRegister } from './worker-register.ts';
import { WorktreeRegister } from './worktree-register.ts';

/** The durable place for everything that needs a person, and for the tasks that wait for them. */
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
  readonly consultations: ConsultationRegister;
  readonly events: EventLog;
  readonly decisions: DecisionLog;
  readonly origins: PlanOrigins;
  readonly credentials: CredentialRegister;
  readonly notices: NoticeOutbox;
  readonly trust: TrustRegister;
  readonly workOrders: WorkOrderRegister;
  readonly workers: WorkerRegister;
  /** How workers hear of ready tasks; undefined if they look at the tables themselves. @internal */
  readonly jobs?: JobQueue;
  readonly figures: FigureReader;
  /** The same ledger for a caller that cannot wait: while the store is away, it refuses within two seconds. */
  readonly hurried: Ledger;
  close(): Promise<void>;
}

/**
 * Opens the ledger in a file, or on PostgreSQL with a `postgres://` URL. `patience` is how long calls wait for a server that
 * is away; without it, they fail at once.
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
  let hurried: Ledger | undefined;
  return {
    place: store.place,
    get hurried() {
      hurried ??= ledgerOn(store.hurried, env);
      return hurried;
    },
    projects: new ProjectRegister(store),
    notifications: new NotificationService(store, redact),
    tasks: new TaskService(store, redact),
    phases: new PhaseLog(store, redact),
    approaches: new ApproachLog(store, redact),
    runs: new RunService(store, redact),
    worktrees: new WorktreeRegister(store),
    clones: new CloneRegister(store),
    consultations: new ConsultationRegister(store, redact),
    events: new EventLog(store),
    decisions: new DecisionLog(store),
    origins: new PlanOrigins(store, redact),
    credentials: new CredentialRegister(store),
    notices: new NoticeOutbox(store),
    trust: new TrustRegister(store),
    workOrders: new WorkOrderRegister(store),
    workers: new WorkerRegister(store),
    ...(store.jobs ? { jobs: store.jobs } : {}),
    figures: new FigureReader(store),
    close: () => store.close(),
  };
}

/** Only the store that is used is loaded. */
export async function openStore(store: string, patience?: Patience): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(store))
    return (await import('./store/postgres.ts')).openPostgres(store, patience);
  return (await import('./store/sqlite.ts')).openSqlite(store);
}
