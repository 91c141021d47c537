import type * as z from 'zod';
import type { Approach } from '../../schema/approach.ts';
import type { Clone } from '../../schema/clone.ts';
import { type Consultation, ConsultationData, ConsultationResult } from '../../schema/consultation.ts';
import type { Decision } from '../../schema/decision.ts';
import { FermataError } from '../../schema/error.ts';
import { Event } from '../../schema/event.ts';
import type { Notification } from '../../schema/notification.ts';
import { PhaseRecord } from '../../schema/phase-record.ts';
import type { PlanOrigin } from '../../schema/plan-origin.ts';
import type { Project } from '../../schema/project.ts';
import { type Run, RunData, RunEnding } from '../../schema/run.ts';
import type { ChatMessage, Task } from '../../schema/task.ts';
import type { TrustedContent } from '../../schema/trusted-content.ts';
import type { Worktree } from '../../schema/worktree.ts';
import type { RunState } from '../runs/run-machine.ts';
import { fromNeedsText } from '../tasks/abilities.ts';
import type { TaskState } from '../tasks/task-machine.ts';
import type {
  ApproachRow,
  ChatRow,
  CloneRow,
  ConsultationRow,
  DecisionRow,
  EventRow,
  NotificationRow,
  PhaseRecordRow,
  PlanOriginRow,
  ProjectRow,
  RunRow,
  TaskRow,
  TrustedContentRow,
  WorktreeRow,
} from './tables.ts';

const times = new Map<number, string>();

/** Cached, because everything in a transaction happens at the same time. */
export function iso(ms: number): string {
  const known = times.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (times.size >= 100) times.clear();
  times.set(ms, text);
  return text;
}

const msOrNull = (time: string | undefined) => (time === undefined ? null : Date.parse(time));

export function toNotification(row: NotificationRow): Notification {
  const notification: Notification = {
    id: row.id,
    projectId: row.project_id,
    source: row.source,
    sourceId: row.source_id,
    kind: row.kind,
    holds: {},
    status: row.status,
    questions: JSON.parse(row.questions),
    responses: JSON.parse(row.responses),
    policy: JSON.parse(row.policy),
    createdAt: iso(row.created_at),
    createdBy: JSON.parse(row.created_by),
  };
  if (row.task_id !== null) notification.holds.task = row.task_id;
  if (row.run_id !== null) notification.holds.run = row.run_id;
  if (row.outcome !== null) notification.outcome = row.outcome;
  if (row.deadline_at !== null) notification.deadlineAt = iso(row.deadline_at);
  if (row.proposal !== null) notification.proposal = JSON.parse(row.proposal);
  if (row.overflow !== 0) notification.overflow = true;
  if (row.resume !== null) notification.resume = JSON.parse(row.resume);
  if (row.replaced !== null) notification.replaced = JSON.parse(row.replaced);
  if (row.gate !== null) notification.gate = JSON.parse(row.gate);
  if (row.resolved_at !== null) notification.resolvedAt = iso(row.resolved_at);
  if (row.resolved_by !== null) notification.resolvedBy = JSON.parse(row.resolved_by);
  if (row.reason !== null) notification.reason = row.reason;
  if (row.superseded_by !== null) notification.supersededBy = row.superseded_by;
  if (row.delivered_at !== null) notification.deliveredAt = iso(row.delivered_at);
  return notification;
}

/** The row, with the columns that a change of state may touch taken from `next`. */
export function changedRow(row: NotificationRow, next: Notification): NotificationRow {
  return {
    ...row,
    status: next.status,
    outcome: next.outcome ?? null,
    responses: JSON.stringify(next.responses),
    replaced: next.replaced ? JSON.stringify(next.replaced) : null,
    policy: JSON.stringify(next.policy),
    proposal: next.proposal ? JSON.stringify(next.proposal) : null,
    // A settled notification is no longer in the queue.
    overflow: next.status === 'open' ? row.overflow : 0,
    reason: next.reason ?? null,
    superseded_by: next.supersededBy ?? null,
    deadline_at: msOrNull(next.deadlineAt),
    resolved_at: msOrNull(next.resolvedAt),
    resolved_by: next.resolvedBy ? JSON.stringify(next.resolvedBy) : null,
    delivered_at: msOrNull(next.deliveredAt),
  };
}

export function toTask(row: TaskRow, dependsOn: string[]): Task {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    body: row.body,
    status: row.status,
    assignee: row.assignee,
    claimedBy: row.claimed_by,
    blockReason: row.block_reason,
    dependsOn,
    priority: row.priority,
    position: row.position,
    isPhase: row.is_phase === 1,
    needs: row.needs === null ? null : fromNeedsText(row.needs),
    fence: row.fence,
    leaseUntil: row.lease_until === null ? null : iso(row.lease_until),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    closedAt: row.closed_at === null ? null : iso(row.closed_at),
  };
}

export function toTaskState(row: TaskRow): TaskState {
  return {
    id: row.id,
    status: row.status,
    assignee: row.assignee,
    blockReason: row.block_reason,
    fence: row.fence,
    leaseUntil: row.lease_until,
    keptFor: row.kept_for,
    claimedBy: row.claimed_by,
  };
}

export function toChatMessage(row: ChatRow): ChatMessage {
  return {
    id: row.id,
    taskId: row.task_id,
    at: iso(row.at),
    by: JSON.parse(row.by),
    text: row.text,
    notificationId: row.notification_id,
  };
}

export function toEvent(row: EventRow): Event {
  const event = {
    number: row.number,
    projectId: row.project_id,
    at: iso(row.at),
    type: row.type,
    by: JSON.parse(row.by),
    data: JSON.parse(row.data),
  };
  return stored(Event, event, `event ${row.number} of project ${row.project_id}`);
}

export function toDecision(row: DecisionRow): Decision {
  return {
    id: row.id,
    projectId: row.project_id,
    question: row.question,
    answer: JSON.parse(row.answer),
    note: row.note,
    source: row.source as Decision['source'],
    sourceId: row.source_id,
    notificationId: row.notification_id,
    by: JSON.parse(row.by),
    at: iso(row.at),
    standing: row.standing === 1,
    replacedBy: row.replaced_by,
  };
}

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    projectId: row.project_id,
    agent: row.agent,
    source: row.source,
    sourceId: row.source_id,
    cwd: row.cwd,
    status: row.status,
    sessionId: row.session_id,
    data: stored(RunData, JSON.parse(row.data), `the data of run ${row.id}`),
    end: row.end === null ? null : stored(RunEnding, JSON.parse(row.end), `the end of run ${row.id}`),
    holder: row.holder,
    leaseUntil: row.lease_until === null ? null : iso(row.lease_until),
    fence: row.fence,
    startedAt: iso(row.started_at),
    endedAt: row.ended_at === null ? null : iso(row.ended_at),
  };
}

export function toRunState(row: RunRow): RunState {
  const { id, holder, fence } = row;
  return { id, status: row.status, holder, leaseUntil: row.lease_until, fence };
}

export function toConsultation(row: ConsultationRow): Consultation {
  return {
    id: row.id,
    projectId: row.project_id,
    role: row.role,
    subject: row.subject,
    text: row.text,
    status: row.status,
    data: stored(ConsultationData, JSON.parse(row.data), `the data of ${row.id}`),
    result:
      row.result === null
        ? null
        : stored(ConsultationResult, JSON.parse(row.result), `the result of ${row.id}`),
    createdAt: iso(row.created_at),
    createdBy: JSON.parse(row.created_by),
    updatedAt: iso(row.updated_at),
  };
}

export function toWorktree(row: WorktreeRow): Worktree {
  return {
    id: row.id,
    projectId: row.project_id,
    branch: row.branch,
    path: row.path,
    featureBranch: row.feature_branch,
    plan: row.plan,
    phase: row.phase,
    variant: row.variant,
    baseCommit: row.base_commit,
    state: row.state,
    archiveRef: row.archive_ref,
    mergeCommit: row.merge_commit,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    root: row.root,
    hilConfig: row.hil_config === null ? null : JSON.parse(row.hil_config),
    lastEvent: row.last_event,
    createdAt: iso(row.created_at),
  };
}

export function toPhaseRecord(row: PhaseRecordRow): PhaseRecord {
  const record = {
    id: Number(row.id),
    taskId: row.task_id,
    kind: row.kind,
    iteration: row.iteration,
    branch: row.branch,
    data: JSON.parse(row.data),
    at: iso(row.at),
    by: JSON.parse(row.by),
  };
  return stored(PhaseRecord, record, `record ${row.id} of phase ${row.task_id}`);
}

export function toApproach(row: ApproachRow): Approach {
  return {
    agent: row.agent,
    number: row.number,
    variant: row.variant === '' ? null : row.variant,
    description: row.description,
    context: row.context,
    files: JSON.parse(row.files),
    notificationId: row.notification_id,
    pendingRefinement: row.refinement,
    state: row.state as Approach['state'],
    updatedAt: iso(row.updated_at),
  };
}

export function toTrustedContent({
  project_id,
  name,
  hash,
  content,
  by,
  at,
}: TrustedContentRow): TrustedContent {
  return { projectId: project_id, name, hash, content, by: JSON.parse(by), at: iso(at) };
}

export function toPlanOrigin({ project_id, plan, asker, issues, questions }: PlanOriginRow): PlanOrigin {
  return {
    projectId: project_id,
    plan,
    asker,
    issues: JSON.parse(issues),
    questions: JSON.parse(questions),
  };
}

export function toClone(row: CloneRow): Clone {
  return {
    projectId: row.project_id,
    id: row.id,
    host: row.host,
    folder: row.folder,
    roots: JSON.parse(row.roots),
    remote:
      row.remote === null || row.remote_name === null ? null : { name: row.remote_name, address: row.remote },
    seenAt: iso(row.seen_at),
  };
}

/** What a row contains, in the current shape; `what` names it if it cannot be read. */
export function stored<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'wrong value';
  throw new FermataError(
    'damaged',
    `This version of Fermata cannot read ${what} in the ledger (${where}). Restore a backup, or report it.`,
  );
}
