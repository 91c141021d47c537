import type { ApproachState } from '../../schema/approach.ts';
import type { Role } from '../../schema/credential.ts';
import type { NotificationKind, Outcome, Source, Status } from '../../schema/notification.ts';
import type { PhaseRecordKind } from '../../schema/phase-record.ts';
import type { Category } from '../../schema/question.ts';
import type { RunStatus } from '../../schema/run.ts';
import type { TaskKind, TaskStatus } from '../../schema/task.ts';
import type { WorktreeState } from '../../schema/worktree.ts';

/**
 * `assumed`: without a person's answer, by a policy or because it was skipped; `corrected`: a person then gave one;
 * `standing`: by a standing decision; `dropped`: it needs no answer any more.
 */
export type HowSettled = 'person' | 'assumed' | 'corrected' | 'standing' | 'dropped';

/** The rows of both stores. Times are milliseconds since 1970; JSON is text, so that both keep it byte for byte. */
export interface ProjectRow {
  id: string;
  name: string;
  root: string | null;
  hil_config: string | null;
  last_event: number;
  last_task: number;
  created_at: number;
}

export interface NotificationRow {
  id: string;
  project_id: string;
  source: Source;
  source_id: string;
  kind: NotificationKind;
  /** The task that cannot continue without the answer. */
  task_id: string | null;
  status: Status;
  outcome: Outcome | null;
  questions: string;
  responses: string;
  policy: string;
  /** The policy that an agent wants and no person has accepted yet. */
  proposal: string | null;
  resume: string | null;
  request_key: string;
  reason: string | null;
  superseded_by: string | null;
  deadline_at: number | null;
  /** 1 if it comes after the questions of others, because its asker had many open. */
  overflow: number;
  /** 1 if its answer is given to whoever asks again, however late: a gate, or a question with a key. */
  lasting: number;
  created_at: number;
  created_by: string;
  resolved_at: number | null;
  resolved_by: string | null;
  delivered_at: number | null;
  /** The run whose agent asked. */
  run_id: string | null;
  gate: string | null;
  /** The responses that a person has since replaced; null if there are none. */
  replaced: string | null;
  /** The life of the agent that asked or last got the answer; null if no later life should get it. */
  life: string | null;
  /** The same for every asking of the same thing, whichever run or life asks. */
  asked_key: string | null;
  /** Changes with every write; an update names the version it read. */
  version: number;
  /** The name of who asked. */
  asker: string;
  /** Of the first question that has one. */
  category: Category | null;
  /** 1 if an earlier answer to the same question was shown with it. */
  offered: number;
  /** Null while it is open, and for a notice. */
  settled: HowSettled | null;
  /** When it was settled first; an amendment does not change it. */
  settled_at: number | null;
}

export interface EventRow {
  project_id: string;
  number: number;
  at: number;
  type: string;
  by: string;
  data: string;
  /** The run that it is about. */
  run_id: string | null;
}

export interface TaskRow {
  project_id: string;
  id: string;
  title: string;
  body: string;
  status: TaskStatus;
  assignee: string | null;
  block_reason: string | null;
  priority: number;
  position: number;
  /** How many of its dependencies are not closed; updated by the transaction that closes or reopens one. */
  unfinished: number;
  fence: number;
  lease_until: number | null;
  kept_for: string | null;
  /** The agent that made the claim, in its own name or another's. */
  claimed_by: string | null;
  kind: TaskKind;
  /** What it is about, as its kind wants it. */
  input: string;
  /** How workers do it; null if nobody queued it for them. */
  options: string | null;
  /** Who asked for it, and when; null for a plain task. */
  requested_by: string | null;
  requested_at: number | null;
  result: string | null;
  /** The abilities of the workers that may take it, as written by `needsText`; null: workers leave it alone. */
  needs: string | null;
  /** Where the sessions of its agents are: the home of the last worker that took it. */
  home: string | null;
  /** 1: nobody takes it until a person resumes it. */
  paused: number;
  /** 1 if a job points to it. Only PostgreSQL has jobs. */
  queued: number;
  created_at: number;
  updated_at: number;
  closed_at: number | null;
}

export interface DependencyRow {
  project_id: string;
  task_id: string;
  depends_on: string;
}

export interface ChatRow {
  id: number;
  project_id: string;
  task_id: string;
  at: number;
  by: string;
  text: string;
  notification_id: string | null;
  /** Null: not for an agent. */
  delivery: 'queued' | 'delivered' | 'read' | null;
  /** 1: it ends the agent's turn. */
  interrupts: number;
}

export interface DecisionRow {
  id: string;
  project_id: string;
  question_key: string;
  question: string;
  answer: string;
  note: string | null;
  source: Source;
  source_id: string;
  notification_id: string;
  by: string;
  at: number;
  standing: number;
  /** The decision that replaced it; null while it is current. */
  replaced_by: string | null;
  /** Of the question. */
  category: Category | null;
  /** 1 if the answer is what was recommended, 0 if it is another; null if nothing was recommended. */
  as_recommended: number | null;
}

export interface RunRow {
  id: string;
  project_id: string;
  task_id: string | null;
  agent: string;
  source: Source;
  source_id: string;
  cwd: string;
  status: RunStatus;
  session_id: string | null;
  data: string;
  end: string | null;
  holder: string | null;
  lease_until: number | null;
  fence: number;
  started_at: number;
  ended_at: number | null;
}

export interface WorktreeRow {
  id: string;
  project_id: string;
  branch: string;
  path: string | null;
  feature_branch: string;
  plan: string | null;
  phase: string | null;
  variant: string | null;
  base_commit: string;
  state: WorktreeState;
  archive_ref: string | null;
  merge_commit: string | null;
  created_at: number;
  updated_at: number;
}

/**
 * A `token` is for programs and valid until it is revoked; a `session` belongs to a browser; a `login` code and a
 * socket's `ticket` can be used once.
 */
export type CredentialKind = 'token' | 'session' | 'login' | 'ticket';

export interface CredentialRow {
  /** The hash of the secret; the secret itself is not stored. */
  hash: string;
  id: string;
  kind: CredentialKind;
  role: Role;
  name: string;
  /** The project it is limited to; null for all. */
  project_id: string | null;
  /** The credential that created it, which it cannot outlive. */
  parent: string | null;
  created_at: number;
  expires_at: number | null;
}

export interface PhaseRecordRow {
  id: number;
  project_id: string;
  task_id: string;
  kind: PhaseRecordKind;
  iteration: number;
  branch: string | null;
  at: number;
  by: string;
  data: string;
}

export interface ApproachRow {
  project_id: string;
  scope: string;
  agent: string;
  number: number;
  /** Empty if there are no variants, because part of the key cannot be null. */
  variant: string;
  description: string;
  context: string;
  files: string;
  notification_id: string | null;
  refinement: string | null;
  state: ApproachState;
  updated_at: number;
}

export interface NoticeRow {
  /** The event and where it goes; the same for every attempt. */
  key: string;
  project_id: string;
  notification_id: string;
  /** Who asked, as in `created_by` of the notification. */
  asker: string;
  sink: string;
  reminder: number;
  attempts: number;
  /** When to try it next; null once it was given up. */
  due_at: number | null;
  error: string | null;
  created_at: number;
}

interface NoticeSinkRow {
  sink: string;
}

/** The last event that a sink has read. */
interface NoticeCursorRow {
  project_id: string;
  sink: string;
  number: number;
}

export interface TrustedContentRow {
  project_id: string;
  name: string;
  hash: string;
  content: string;
  by: string;
  at: number;
}

export interface CloneRow {
  project_id: string;
  id: string;
  host: string;
  folder: string;
  roots: string;
  remote: string | null;
  remote_name: string | null;
  seen_at: number;
  joined_at: number;
}

export interface AcceptedRemoteRow {
  project_id: string;
  address: string;
  roots: string;
  by: string;
  at: number;
}

export interface WorkerRow {
  id: string;
  home: string;
  name: string;
  host: string;
  abilities: string;
  slots: number;
  projects: string | null;
  /** How the ids of the only tasks that it serves begin; null for a worker that takes whatever is queued. */
  within: string | null;
  version: string;
  started_at: number;
  seen_at: number;
}

export interface Tables {
  clones: CloneRow;
  accepted_remotes: AcceptedRemoteRow;
  workers: WorkerRow;
  trusted_contents: TrustedContentRow;
  notices: NoticeRow;
  notice_sinks: NoticeSinkRow;
  notice_cursors: NoticeCursorRow;
  phase_records: PhaseRecordRow;
  approaches: ApproachRow;
  worktrees: WorktreeRow;
  credentials: CredentialRow;
  runs: RunRow;
  projects: ProjectRow;
  open_questions: NotificationRow;
  events: EventRow;
  tasks: TaskRow;
  task_dependencies: DependencyRow;
  task_chat: ChatRow;
  decisions: DecisionRow;
}
