import * as z from 'zod';
import { By } from './actor.ts';
import { HilConfig } from './autonomy.ts';
import {
  Holds,
  Notification,
  NotificationKind,
  Outcome,
  Policy,
  Response,
  Source,
  Status,
} from './notification.ts';
import { PhaseRecordKind } from './phase-record.ts';
import { RunEnding, RunStatus, RunStep } from './run.ts';
import { ChatMessage, TaskKind, TaskStatus } from './task.ts';
import { WorktreeState } from './worktree.ts';

/** What changed in a notification. */
export const NotificationChange = z.object({
  id: z.string(),
  source: Source,
  sourceId: z.string(),
  kind: NotificationKind,
  holds: Holds,
  from: Status,
  status: Status,
  outcome: Outcome.optional(),
  /** The responses that came with it. */
  responses: z.array(Response).optional(),
  reason: z.string().optional(),
  /** A person replaced an earlier answer. */
  amended: z.literal(true).optional(),
  /** The policy that was applied at the deadline. */
  policy: z.string().optional(),
  /** The policy that an agent had proposed and a person accepted. */
  accepted: Policy.optional(),
  /** An answer that was delivered before was given again. */
  replayed: z.literal(true).optional(),
});
export type NotificationChange = z.infer<typeof NotificationChange>;

/** What changed in a task: its state, or one of the optional fields. */
export const TaskChange = z.object({
  /** For all phases of a plan that were queued together: the plan's name with a slash. */
  id: z.string(),
  title: z.string(),
  kind: TaskKind.optional(),
  status: TaskStatus.optional(),
  assignee: z.string().nullable().optional(),
  blockReason: z.string().nullable().optional(),
  /** The same under the name that older programs use; only the hub adds it. */
  block_reason: z.string().nullable().optional(),
  fence: z.number().int().optional(),
  added: z.literal(true).optional(),
  /** A person paused or resumed it. */
  paused: z.boolean().optional(),
  /** The abilities of the workers that may take it now; null if they should stop. */
  needs: z.array(z.string()).nullable().optional(),
  /** A task that it depends on from now on. */
  dependsOn: z.string().optional(),
  /** Which of title, body and priority were changed. */
  edited: z.array(z.string()).optional(),
  message: ChatMessage.optional(),
  /** What was written to the log of a phase, and in which iteration. */
  recorded: PhaseRecordKind.optional(),
  iteration: z.number().int().optional(),
});
export type TaskChange = z.infer<typeof TaskChange>;

const ofRun = { id: z.string() };
const state = { status: RunStatus, holder: z.string().nullable() };

/** What happened in a run: to its process, or what its agent said and did. */
export const RunChange = z.discriminatedUnion('kind', [
  z.object({ ...ofRun, kind: z.literal('started'), agent: z.string(), sourceId: z.string() }),
  z.object({ ...ofRun, kind: z.literal('session'), sessionId: z.string() }),
  z.object({ ...ofRun, kind: z.literal('take'), ...state }),
  z.object({ ...ofRun, kind: z.literal('wait'), ...state }),
  z.object({ ...ofRun, kind: z.literal('end'), ...state, end: RunEnding.omit({ text: true }).optional() }),
  z.object({ ...ofRun, kind: z.literal('message'), message: ChatMessage }),
  ...RunStep.options.map((step) => step.extend(ofRun)),
]);
export type RunChange = z.infer<typeof RunChange>;

export const WorktreeChange = z.object({
  id: z.string(),
  branch: z.string(),
  featureBranch: z.string(),
  state: WorktreeState,
  phase: z.string().nullable(),
  variant: z.string().nullable(),
  archiveRef: z.string().nullable(),
});
export type WorktreeChange = z.infer<typeof WorktreeChange>;

/** How much agents may decide alone, a revoked standing decision, or content that became trusted or untrusted. */
export const SettingsChange = z.union([
  z.strictObject({ hilConfig: HilConfig.partial() }),
  z.strictObject({ decisionId: z.string(), standing: z.literal(false) }),
  z.strictObject({ trusted: z.object({ name: z.string(), hash: z.string() }) }),
  z.strictObject({ revoked: z.object({ name: z.string() }) }),
  z.strictObject({ acceptedRemote: z.string() }),
]);
export type SettingsChange = z.infer<typeof SettingsChange>;

const logged = { number: z.number().int(), projectId: z.string(), at: z.string(), by: By };

/** One line of a project's history. Numbers start at 1 and have no gaps. */
export const Event = z.discriminatedUnion('type', [
  z.object({
    ...logged,
    type: z.literal('notification.added'),
    data: z.object({ notification: Notification }),
  }),
  z.object({ ...logged, type: z.literal('notification.updated'), data: NotificationChange }),
  z.object({ ...logged, type: z.literal('notification.resolved'), data: NotificationChange }),
  z.object({ ...logged, type: z.literal('task.updated'), data: TaskChange }),
  z.object({ ...logged, type: z.literal('run.event'), data: RunChange }),
  z.object({ ...logged, type: z.literal('worktree.updated'), data: WorktreeChange }),
  z.object({ ...logged, type: z.literal('settings.updated'), data: SettingsChange }),
]);
export type Event = z.infer<typeof Event>;

export const EventType = z.enum(Event.options.map(({ shape }) => shape.type.value));
export type EventType = Event['type'];
