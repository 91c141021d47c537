import type { By } from '../../schema/actor.ts';
import { approvalOptions } from '../../schema/approval.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { defaultHilConfig } from '../../schema/autonomy-words.ts';
import { FermataError } from '../../schema/error.ts';
import { isPersonal } from '../../schema/is-question.ts';
import { limits } from '../../schema/limits.ts';
import type { CreateInput, Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { crashPoint } from '../crash-point.ts';
import { autonomousAnswers, type PolicyAnswers } from '../decisions/autonomous-answers.ts';
import { levelOf, selectHilLevels } from '../decisions/autonomy.ts';
import { withEarlierDecisions } from '../decisions/decision-log.ts';
import { insert, update } from '../engine/statements.ts';
import type { Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { NotificationRow, TaskRow } from '../engine/tables.ts';
import { newId } from '../ids.ts';
import { changeTask } from '../tasks/change-task.ts';
import { selectTask } from '../tasks/task-sql.ts';
import { countForAgent, isOverflow } from './agent-limits.ts';
import { refreshedGate } from './gate.ts';
import { blocksTask, kindOf, namesTask, runOf } from './holds.ts';
import { STANDING_DECISION, selectNotification, toNotification, updateGate } from './notification-sql.ts';
import { requestKey } from './questions.ts';
import { settle } from './settle.ts';
import { refuseImpossiblePolicy, silenceOf } from './silence.ts';

/**
 * Stores the questions and their event, and makes the task that asked wait. Questions with a standing decision, or that
 * agents may decide alone, are answered at once, on record.
 */
export async function storeQuestion(
  tx: Tx,
  row: NotificationRow,
  asked: CreateInput,
  task: TaskRow | undefined,
  by: By,
): Promise<Notification> {
  const isNotice = row.kind === 'notice';
  await countForAgent(tx, by, isNotice ? 'notice' : 'question');
  const placed = { ...row, overflow: !isNotice && (await isOverflow(tx, by)) ? 1 : 0 };
  const bare = toNotification(placed);
  const { questions, standing } = await withEarlierDecisions(tx, bare.questions);
  const isOffered = !isPersonal(bare) && questions.some(({ earlier }) => earlier !== undefined);
  const notification = isOffered ? { ...bare, questions } : bare;
  await insert(
    tx,
    'open_questions',
    isOffered ? { ...placed, questions: JSON.stringify(questions), offered: 1 } : placed,
  );
  crashPoint('create.inserted');
  tx.emit({ type: 'notification.added', by, data: { notification: withoutMaterial(notification) } });
  await blockTask(tx, task, asked, notification, by);
  crashPoint('create.held');
  const mayBeDecided = standing.size > 0 || questions.some(({ category }) => category !== undefined);
  if (isNotice || isPersonal(bare) || !mayBeDecided) return notification;
  const hilConfig = (await selectHilLevels(tx, tx.projectId)).value;
  const decided = questions.flatMap((question) => {
    const decision = requiresApproval(question, hilConfig) ? undefined : standing.get(question.id);
    return decision ? [{ questionId: question.id, decision }] : [];
  });
  const ids = decided.map(({ decision }) => decision.id).join(', ');
  const left = questions.filter(({ id }) => !decided.some(({ questionId }) => questionId === id));
  const byPolicy: PolicyAnswers[] = [
    {
      name: `${STANDING_DECISION}${ids}`.slice(0, 200),
      responses: decided.map(({ questionId, decision }) => ({ questionId, answer: decision.answer })),
    },
    ...(await autonomousAnswers(tx, bare, left, hilConfig, by)),
  ];
  for (const { name, responses } of byPolicy) {
    if (name === 'notify_and_proceed') await storeNotices(tx, asked, questions, responses, by);
  }
  return answeredByPolicy(tx, notification, byPolicy);
}

/**
 * What was asked before is not asked again. The asker may be another process by now, so the answer goes to where it asks
 * from; an open gate gets the newest material.
 */
export async function askAgain(
  tx: Tx,
  known: NotificationRow,
  row: NotificationRow,
  asked: CreateInput,
  task: TaskRow | undefined,
  by: By,
): Promise<Notification> {
  const isOpen = known.status === 'open';
  if (known.status === 'delivered' && !asked.gate) recordReplay(tx, known, by);
  const isFromElsewhere = asked.resume !== undefined || asked.run !== undefined;
  const { run_id, life } = isFromElsewhere ? row : known;
  const resume = asked.resume ? row.resume : known.resume;
  const { task_id } = row;
  if (isFromElsewhere || task_id !== known.task_id)
    await update(tx, 'open_questions', { resume, run_id, task_id, life }, { id: known.id });
  const gate =
    isOpen && known.gate && asked.gate
      ? JSON.stringify(refreshedGate(JSON.parse(known.gate), asked.gate))
      : known.gate;
  if (gate !== known.gate) await updateGate(tx, known.id, gate);
  const notification = toNotification({ ...known, resume, run_id, task_id, gate });
  if (isOpen) await blockTask(tx, task, asked, notification, by);
  return notification;
}

/** Records that a delivered answer is given again. */
function recordReplay(tx: Tx, known: NotificationRow, by: By): void {
  const { id, source, sourceId, kind, holds, status } = toNotification(known);
  tx.emit({
    type: 'notification.updated',
    by,
    data: { id, source, sourceId, kind, holds, from: status, status, replayed: true },
  });
}

/** Stores what an agent decides alone, so that a person is told. */
async function storeNotices(
  tx: Tx,
  { projectId, source, sourceId }: CreateInput,
  questions: Question[],
  responses: PolicyAnswers['responses'],
  by: By,
): Promise<void> {
  for (const { questionId, answer } of responses) {
    const question = questions.find(({ id }) => id === questionId);
    const text = `Continued without asking: ${question?.text ?? questionId}\n${[answer].flat().join(', ')}`;
    const told: Question = { id: 'notice', text, createdAt: iso(tx.now), category: question?.category };
    const notice = { projectId, source, sourceId, questions: [told], notice: true };
    await storeQuestion(tx, await newRow(tx, notice, [told], undefined, by), notice, undefined, by);
  }
}

async function answeredByPolicy(tx: Tx, stored: Notification, given: PolicyAnswers[]): Promise<Notification> {
  let notification = stored;
  for (const { name, responses } of given) {
    const row = responses.length > 0 && (await selectNotification(tx, tx.projectId, stored.id));
    if (!row) continue;
    const policy: By = { actor: { kind: 'policy', name }, channel: 'ledger' };
    const command = { kind: 'resolve' as const, input: { responses }, by: policy, at: iso(tx.now) };
    notification = (await settle(tx, row, command, policy)).notification;
  }
  return notification;
}

/** Material stays with the notification, because an event would send all of it to everybody. */
function withoutMaterial(notification: Notification): Notification {
  const { gate } = notification;
  return gate ? { ...notification, gate: { ...gate, material: undefined } } : notification;
}

/** The task that cannot continue without the answer. A question for a task that does not exist holds none. */
export async function heldTask(tx: Tx, asked: CreateInput): Promise<TaskRow | undefined> {
  return namesTask(asked) ? selectTask(tx, tx.projectId, asked.sourceId) : undefined;
}

/** The task waits, is unassigned, and says why. */
async function blockTask(
  tx: Tx,
  task: TaskRow | undefined,
  asked: CreateInput,
  notification: Notification,
  by: By,
): Promise<void> {
  // A human gate makes the task wait if its holder asks, but not if an agent that is working waits for it.
  const isGateOfHolder = notification.kind === 'gate' && asked.fence !== undefined;
  if (task && (isGateOfHolder || blocksTask(notification)))
    await changeTask(tx, task, { kind: 'ask', fence: asked.fence, keep: asked.keep }, by);
}

/** The row of a new notification; throws if its policy is not allowed. */
export async function newRow(
  tx: Tx,
  asked: CreateInput,
  questions: Question[],
  task: TaskRow | undefined,
  by: By,
  askedKey: string | null = null,
): Promise<NotificationRow> {
  const kind = kindOf(asked);
  const isNotice = kind === 'notice';
  // Most askers set no policy; the settings are read only for those that do.
  const hilConfig = asked.policy ? (await selectHilLevels(tx, tx.projectId)).value : defaultHilConfig;
  const { policy, proposal } = silenceOf({ kind, policy: asked.policy }, questions, hilConfig, by);
  return {
    id: newId('n'),
    project_id: asked.projectId,
    source: asked.source,
    source_id: asked.sourceId,
    kind,
    task_id: task?.id ?? null,
    status: isNotice ? 'recorded' : 'open',
    outcome: null,
    questions: JSON.stringify(questions),
    responses: '[]',
    policy: JSON.stringify(policy),
    proposal: proposal && !isNotice ? JSON.stringify(proposal) : null,
    resume: asked.resume ? JSON.stringify(asked.resume) : null,
    request_key: requestKey(asked, questions, askedKey),
    reason: null,
    superseded_by: null,
    deadline_at: policy.kind === 'wait' || isNotice ? null : Math.ceil(tx.now + policy.after * 1000),
    overflow: 0,
    lasting: asked.gate || asked.key !== undefined ? 1 : 0,
    created_at: tx.now,
    created_by: JSON.stringify(by),
    resolved_at: null,
    resolved_by: null,
    delivered_at: null,
    run_id: runOf(asked) ?? null,
    gate: asked.gate ? JSON.stringify(asked.gate) : null,
    replaced: null,
    life: asked.life ?? null,
    asked_key: askedKey,
    version: 1,
    asker: by.actor.name,
    category: questions.find(({ category }) => category !== undefined)?.category ?? null,
    offered: 0,
    settled: null,
    settled_at: null,
  };
}

/** Throws if there is nothing to ask, too much, or an impossible policy. */
export function refuseUnusable(asked: CreateInput, questions: Question[]): void {
  if (questions.length === 0) {
    throw new FermataError('invalid', 'The questions have no text. Give each question a "text".');
  }
  const bytes = Buffer.byteLength(JSON.stringify(questions));
  if (bytes > limits.notificationBytes) {
    throw new FermataError(
      'invalid',
      `The questions take ${bytes} bytes; at most ${limits.notificationBytes} are allowed. Move the long parts to files and name the files.`,
    );
  }
  refuseWrongGate(asked);
  refuseImpossiblePolicy({ kind: kindOf(asked), policy: asked.policy }, questions);
}

function refuseWrongGate({ source, gate }: CreateInput): void {
  if (!gate) return;
  if (source !== 'gate')
    throw new FermataError('invalid', 'Only a notification with source "gate" can have a "gate".');
  const bytes = Buffer.byteLength(JSON.stringify(gate.material ?? []));
  if (bytes <= limits.materialBytes) return;
  throw new FermataError(
    'invalid',
    `The gate material takes ${bytes} bytes; at most ${limits.materialBytes} are allowed. Shorten it.`,
  );
}

function requiresApproval({ category }: Question, hilConfig: HilConfig): boolean {
  return category !== undefined && levelOf(category, hilConfig) === 'requires_approval';
}

/** An approval is yes or no, whatever the asker offered. */
export function asApproval(question: Question): Question {
  return {
    ...question,
    options: approvalOptions(question.options),
    multi: undefined,
    recommended: undefined,
  };
}
