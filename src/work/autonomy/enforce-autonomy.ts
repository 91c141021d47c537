import { ownRun } from '../../agents/agent-task.ts';
import { steeringLevel } from '../../config/personal-config.ts';
import { levelOf } from '../../ledger/decisions/autonomy.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import type { By } from '../../schema/actor.ts';
import { isApproved } from '../../schema/approval.ts';
import type { AutonomyLevel } from '../../schema/autonomy.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question as Asked, Verbatim } from '../../schema/question.ts';
import { workQuestionId } from '../phases/may-proceed.ts';
import type { SensitiveChanges } from './find-changes.ts';
import type { FinishedWork } from './finished-work.ts';
import type { SteeringChanges } from './steering-changes.ts';

export type AutonomyResult =
  /** `approvedBy`: the person who approved exactly these changes. */
  | { kind: 'proceed'; approvedBy?: By }
  /** A person has to approve first; the task is blocked until then. */
  | { kind: 'waiting'; notification: Notification }
  /** A person rejected exactly these changes, so they have to be undone. */
  | { kind: 'rejected'; notification: Notification };

export interface ChangedTask {
  projectId: string;
  taskId: string;
  /** The claim under which the task was worked on. */
  fence?: number;
  changes: SensitiveChanges & { work?: FinishedWork };
  by: By;
}

/**
 * Applies the autonomy levels to a task's changes: an approval that blocks it, a notice, or nothing. The project's level
 * decides about dependencies, and about merging work that no approved plan asked for. Changes to files that steer need a
 * person's approval unless the person's own configuration says otherwise; no repository can lower that. An approval
 * applies to exactly the same changes, so asking again after a crash asks nobody twice.
 */
export async function enforceAutonomy(ledger: Ledger, task: ChangedTask): Promise<AutonomyResult> {
  const { projectId, taskId, changes } = task;
  const earlier = await ledger.notifications.asked(projectId, 'approval', taskId);
  if (changes.work) {
    const level = levelOf('scope', await ledger.projects.hilConfig(projectId));
    const verdict = await settle(ledger, task, level, workQuestion(taskId, changes.work), earlier);
    // A person who approved the work has seen everything in it.
    if (verdict.kind !== 'proceed' || verdict.approvedBy) return verdict;
  }
  if (changes.dependency.length > 0) {
    const level = levelOf('dependency', await ledger.projects.hilConfig(projectId));
    const result = await settle(
      ledger,
      task,
      level,
      dependencyQuestion(taskId, changes.dependency, level),
      earlier,
    );
    if (result.kind !== 'proceed') return result;
  }
  if (!changes.steering) return { kind: 'proceed' };
  const level = steeringLevel(process.env);
  return settle(ledger, task, level, steeringQuestion(taskId, changes.steering), earlier);
}

async function settle(
  ledger: Ledger,
  task: ChangedTask,
  level: AutonomyLevel,
  question: Question,
  earlier: Notification[],
): Promise<AutonomyResult> {
  if (level === 'automated') return { kind: 'proceed' };
  const known = earlier.findLast(({ questions: [asked] }) => asked && isSame(asked, question));
  if (level === 'requires_approval')
    return verdictOf(known) ?? { kind: 'waiting', notification: await ask(ledger, task, question) };
  if (known === undefined) await tell(ledger, task, question);
  return { kind: 'proceed' };
}

/** What was asked, and why a person rejected it. */
export function rejectionText({ questions, responses, reason }: Notification): string {
  const [response] = responses;
  const why = (response?.kind === 'answered' ? response.note : reason) ?? 'No reason given.';
  return `${questions.map(whatChanges).join('\n')}\n\n${why}`;
}

/** The question about changes, worded for the agent that made them. */
export function whatChanges({ text, verbatim = [] }: Pick<Asked, 'text' | 'verbatim'>): string {
  return [text, ...verbatim.map((piece) => piece.text)].join('\n');
}

/** The question to a person about changes. */
interface Question extends Pick<Asked, 'id' | 'text' | 'category' | 'context'> {
  verbatim: Verbatim[];
}

function dependencyQuestion(taskId: string, changes: string[], level: AutonomyLevel): Question {
  const verbatim = [{ label: 'changes', text: changes.join('\n') }];
  const text =
    level === 'requires_approval'
      ? `Allow task ${taskId} to change dependencies?`
      : `Task ${taskId} changes dependencies.`;
  return { id: 'dependency', text, category: 'dependency', verbatim };
}

function steeringQuestion(taskId: string, { words, diff, hash }: SteeringChanges): Question {
  const text = `Merge task ${taskId}? It changes files that run programs or steer agents.`;
  const verbatim = [
    { label: 'changes', text: words.join('\n') },
    { label: 'diff', text: diff },
  ];
  return { id: `steering-${hash}`, text, category: 'scope', verbatim };
}

function workQuestion(
  taskId: string,
  { content, into, about, words, steering, diff }: FinishedWork,
): Question {
  const verbatim = [
    { label: 'changes', text: words.join('\n') },
    ...(steering ? [{ label: 'files that run programs or steer agents', text: steering }] : []),
    { label: 'diff', text: diff },
  ];
  const text = `Merge task ${taskId} into ${into}?`;
  return { id: workQuestionId(content), text, category: 'scope', context: about, verbatim };
}

/** Compares everything that was shown, because an agent may have asked for something else under the same id. */
function isSame(asked: Asked, { id, text, verbatim }: Question): boolean {
  const redact = redactor(process.env);
  const shown = (asked.verbatim ?? []).map((piece) => piece.text);
  const wanted = verbatim.map((piece) => redact(piece.text, 'verbatim'));
  return asked.id === id && asked.text === text && JSON.stringify(shown) === JSON.stringify(wanted);
}

/** Undefined if a person still has to be asked: there was no question yet, or nobody answered it. */
function verdictOf(known: Notification | undefined): AutonomyResult | undefined {
  if (known?.status === 'open') return { kind: 'waiting', notification: known };
  const [response] = known?.responses ?? [];
  if (known === undefined || response === undefined || response.kind === 'skipped') return undefined;
  return isApproved(response)
    ? { kind: 'proceed', approvedBy: response.by }
    : { kind: 'rejected', notification: known };
}

async function ask(ledger: Ledger, { projectId, taskId, fence, by }: ChangedTask, question: Question) {
  const asked = { projectId, source: 'approval' as const, sourceId: taskId, questions: [question] };
  const claim = { ...ownRun(process.env), ...(fence === undefined ? {} : { fence }) };
  return (await ledger.notifications.create({ ...asked, ...claim }, by)).notification;
}

async function tell(
  ledger: Ledger,
  { projectId, taskId, by }: ChangedTask,
  question: Question,
): Promise<void> {
  const told = {
    projectId,
    source: 'approval' as const,
    sourceId: taskId,
    questions: [question],
    notice: true,
  };
  await ledger.notifications.create(told, by);
}
