import type { By } from '../schema/actor.ts';
import type { HilConfig } from '../schema/autonomy.ts';
import { defaultHilConfig } from '../schema/autonomy-words.ts';
import { defaultAnswer } from '../schema/default-answer.ts';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import type { CreateInput, Notification, Policy } from '../schema/notification.ts';
import type { Question } from '../schema/question.ts';
import { autonomousAnswers, type PolicyAnswers } from './autonomous-answers.ts';
import { levelOf } from './autonomy.ts';
import { changeTask } from './change-task.ts';
import { crashPoint } from './crash-point.ts';
import { withEarlierDecisions } from './decision-log.ts';
import { newId } from './ids.ts';
import { decide } from './machine/notification.ts';
import { requestKey } from './questions.ts';
import { iso, toNotification, toProject } from './rows.ts';
import { holdsTask, settle } from './settle.ts';
import { insertNotification, selectNotification } from './store/notifications.ts';
import { selectProject } from './store/projects.ts';
import type { Tx } from './store/store.ts';
import type { NotificationRow } from './store/tables.ts';
import { selectTask } from './store/tasks.ts';
import { refuseTooManyOpen } from './too-many-open.ts';

/**
 * Stores what is asked, with its event, and makes the task that asked wait. What a person has decided for all times, or
 * lets the agents decide alone, is answered at once, on record.
 */
export async function storeQuestion(
  tx: Tx,
  row: NotificationRow,
  asked: CreateInput,
  by: By,
): Promise<Notification> {
  if (!asked.notice) await refuseTooManyOpen(tx, by);
  const bare = toNotification(row);
  const { questions, standing } = await withEarlierDecisions(tx, bare.questions);
  const isOffered = asksForJudgement(asked) && questions.some(({ earlier }) => earlier !== undefined);
  const notification = isOffered ? { ...bare, questions } : bare;
  await insertNotification(tx, isOffered ? { ...row, questions: JSON.stringify(questions) } : row);
  crashPoint('create.inserted');
  tx.emit({ type: 'notification.added', by, data: { notification: withoutMaterial(notification) } });
  await holdTask(tx, asked, by);
  crashPoint('create.held');
  const mayBeDecided = standing.size > 0 || questions.some(({ category }) => category !== undefined);
  if (asked.notice || !asksForJudgement(asked) || !mayBeDecided) return notification;
  const hilConfig = await hilConfigOf(tx);
  const decided = questions.flatMap((question) => {
    const decision = requiresApproval(question, hilConfig) ? undefined : standing.get(question.id);
    return decision ? [{ questionId: question.id, decision }] : [];
  });
  const ids = decided.map(({ decision }) => decision.id).join(', ');
  const left = questions.filter(({ id }) => !decided.some(({ questionId }) => questionId === id));
  const byPolicy: PolicyAnswers[] = [
    {
      name: `standing decision ${ids}`.slice(0, 200),
      responses: decided.map(({ questionId, decision }) => ({ questionId, answer: decision.answer })),
    },
    ...(await autonomousAnswers(tx, asked, left, hilConfig, by)),
  ];
  for (const { name, responses } of byPolicy) {
    if (name === 'notify_and_proceed') await storeNotices(tx, asked, questions, responses, by);
  }
  return answeredByPolicy(tx, notification, byPolicy);
}

/** What an agent goes on with by itself, and a person is told. */
async function storeNotices(
  tx: Tx,
  { projectId, source, sourceId }: CreateInput,
  questions: Question[],
  responses: PolicyAnswers['responses'],
  by: By,
): Promise<void> {
  for (const { questionId, answer } of responses) {
    const question = questions.find(({ id }) => id === questionId);
    const text = `Went on without asking: ${question?.text ?? questionId}\n${[answer].flat().join(', ')}`;
    const told: Question = { id: 'notice', text, createdAt: iso(tx.now), category: question?.category };
    const notice = { projectId, source, sourceId, questions: [told], notice: true };
    await storeQuestion(tx, await newRow(tx, notice, [told], by), notice, by);
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

/** What there is to look at stays with the notification: an event would carry all of it to everybody. */
function withoutMaterial(notification: Notification): Notification {
  const { gate } = notification;
  return gate ? { ...notification, gate: { ...gate, material: undefined } } : notification;
}

/** The task waits, is nobody's, and says why. A question of a task that we do not know blocks nothing. */
export async function holdTask(tx: Tx, asked: CreateInput, by: By): Promise<void> {
  // A human gate makes the task wait where its holder asks, not where an agent at work waits for it.
  const isGateOfHolder = asked.source === 'gate' && asked.fence !== undefined;
  if (asked.notice || !(isGateOfHolder || holdsTask(asked.source, asked.resume?.run))) return;
  const task = await selectTask(tx, tx.projectId, asked.sourceId);
  if (task) await changeTask(tx, task, { kind: 'ask', fence: asked.fence, keep: asked.keep }, by);
}

/** The row of a new notification; throws where its policy is not allowed. */
export async function newRow(
  tx: Tx,
  asked: CreateInput,
  questions: Question[],
  by: By,
): Promise<NotificationRow> {
  const policy = asked.policy ?? { kind: 'wait' };
  await refuseDefaultForApproval(tx, policy, questions);
  return {
    id: newId('n'),
    project_id: asked.projectId,
    source: asked.source,
    source_id: asked.sourceId,
    status: asked.notice ? 'recorded' : 'open',
    outcome: null,
    questions: JSON.stringify(questions),
    responses: '[]',
    policy: JSON.stringify(policy),
    resume: asked.resume ? JSON.stringify(asked.resume) : null,
    request_key: requestKey(asked, questions),
    reason: null,
    superseded_by: null,
    deadline_at: policy.kind === 'wait' || asked.notice ? null : Math.ceil(tx.now + policy.after * 1000),
    created_at: tx.now,
    created_by: JSON.stringify(by),
    resolved_at: null,
    resolved_by: null,
    delivered_at: null,
    run_id: asked.resume?.run ?? null,
    gate: asked.gate ? JSON.stringify(asked.gate) : null,
    version: 1,
  };
}

/** Throws where there is nothing to ask, too much of it, or a policy that cannot be. */
export function refuseUnusable(asked: CreateInput, questions: Question[]): void {
  if (questions.length === 0) {
    throw new FermataError('invalid', 'There is no question with a text. Give each question a "text".');
  }
  const bytes = Buffer.byteLength(JSON.stringify(questions));
  if (bytes > limits.notificationBytes) {
    throw new FermataError(
      'invalid',
      `The questions take ${bytes} bytes; at most ${limits.notificationBytes} are allowed. Put the long parts into files and name the files.`,
    );
  }
  refuseWrongGate(asked);
  const { policy } = asked;
  if (!policy) return;
  if (!asksForJudgement(asked) && (policy.kind === 'default' || policy.kind === 'skip')) {
    throw new FermataError(
      'invalid',
      `A question of source ${asked.source} never gets a default: a person has to answer it.`,
    );
  }
  const without =
    policy.kind === 'default'
      ? questions.find(({ id }) => defaultAnswer(policy.answers, id) === undefined)
      : undefined;
  if (without) {
    throw new FermataError('invalid', `The default policy has no answer for question "${without.id}".`);
  }
}

function refuseWrongGate({ source, gate }: CreateInput): void {
  if (!gate) return;
  if (source !== 'gate')
    throw new FermataError('invalid', 'Only a notification of source gate has a "gate".');
  const bytes = Buffer.byteLength(JSON.stringify(gate.material ?? []));
  if (bytes <= limits.materialBytes) return;
  throw new FermataError(
    'invalid',
    `The material of the gate takes ${bytes} bytes; at most ${limits.materialBytes} are allowed. Cut it.`,
  );
}

/** Gates and approvals are never answered by anything but a person. */
function asksForJudgement(asked: Pick<CreateInput, 'source'>): boolean {
  return asked.source !== 'gate' && asked.source !== 'approval';
}

async function refuseDefaultForApproval(tx: Tx, policy: Policy, questions: Question[]): Promise<void> {
  if (policy.kind !== 'default' && policy.kind !== 'skip') return;
  const hilConfig = await hilConfigOf(tx);
  const bound = questions.find((question) => requiresApproval(question, hilConfig));
  if (!bound) return;
  throw new FermataError(
    'invalid',
    `Question "${bound.id}" is about ${bound.category}, which requires approval in this project: it never gets a default.`,
  );
}

async function hilConfigOf(tx: Tx): Promise<HilConfig> {
  const [row] = await selectProject(tx, tx.projectId);
  return (row && toProject(row).hilConfig) ?? defaultHilConfig;
}

function requiresApproval({ category }: Question, hilConfig: HilConfig): boolean {
  return category !== undefined && levelOf(category, hilConfig) === 'requires_approval';
}

/** A default that could not be given at the deadline is refused when it is asked. */
export function refuseImpossibleDefault(asked: CreateInput, row: NotificationRow): void {
  if (asked.policy?.kind !== 'default') return;
  const notification = toNotification(row);
  const { deadlineAt } = notification;
  if (deadlineAt) decide(notification, { kind: 'deadline', at: deadlineAt });
}

/** An approval has two answers, whatever the asker offered. */
export function asApproval(question: Question): Question {
  const options = [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject' },
  ];
  return { ...question, options, multi: undefined, recommended: undefined };
}
