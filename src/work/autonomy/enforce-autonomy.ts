import { levelOf } from '../../ledger/autonomy.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { SensitiveChanges } from './find-changes.ts';

export type Verdict =
  | { kind: 'proceed' }
  /** A person has to approve first; the task is blocked until then. */
  | { kind: 'waiting'; notification: Notification }
  /** A person said no to exactly these changes: they have to be undone. */
  | { kind: 'rejected'; notification: Notification };

export interface ChangedTask {
  projectId: string;
  taskId: string;
  /** The claim under which the task was worked on. */
  fence?: number;
  changes: SensitiveChanges;
  by: By;
}

const words = { dependency: 'dependencies', scope: 'the scope of its plan' } as const;
const MOST_IN_TEXT = 10;

/**
 * Brings the project's levels to what a task has changed: an approval that blocks it, a notice, or nothing. An approval
 * holds for exactly the same changes, so that asking again after a crash asks nobody twice.
 */
export async function enforceAutonomy(ledger: Ledger, task: ChangedTask): Promise<Verdict> {
  const { projectId, taskId, changes } = task;
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const earlier = await ledger.notifications.asked(projectId, 'approval', taskId);
  for (const category of ['dependency', 'scope'] as const) {
    if (changes[category].length === 0) continue;
    const level = levelOf(category, hilConfig);
    if (level === 'automated') continue;
    const question = questionOf(taskId, category, changes[category]);
    const known = earlier.findLast(
      ({ questions: [asked] }) => asked?.text === question.text && asked.context === question.context,
    );
    if (level === 'notify_and_proceed') {
      if (known === undefined) await tell(ledger, task, question);
      continue;
    }
    const verdict = verdictOf(known);
    if (verdict?.kind === 'proceed') continue;
    return verdict ?? { kind: 'waiting', notification: await ask(ledger, task, question) };
  }
  return { kind: 'proceed' };
}

/** What was asked, and why a person said no to it. */
export function rejectionText({ questions, responses, reason }: Notification): string {
  const [response] = responses;
  const why = (response?.kind === 'answered' ? response.note : reason) ?? 'No reason was given.';
  return `${questions.map(({ text }) => text).join('\n')}\n\n${why}`;
}

type Question = ReturnType<typeof questionOf>;

function questionOf(taskId: string, category: keyof SensitiveChanges, changes: string[]) {
  const some = changes.slice(0, MOST_IN_TEXT).map((change) => `\n- ${change}`);
  const more = changes.length > MOST_IN_TEXT ? `\n- and ${changes.length - MOST_IN_TEXT} more` : '';
  const text = `Task ${taskId} changes ${words[category]}:${some.join('')}${more}`.slice(0, 8000);
  const context = changes.length > MOST_IN_TEXT ? { context: changes.join('\n').slice(0, 200_000) } : {};
  return { id: category, text, category, ...context };
}

/** Undefined where it has to be asked: nobody was, or nobody gave an answer to it. */
function verdictOf(known: Notification | undefined): Verdict | undefined {
  if (known?.status === 'open') return { kind: 'waiting', notification: known };
  const [response] = known?.responses ?? [];
  if (known === undefined || response === undefined || response.kind === 'skipped') return undefined;
  const approved = response.kind === 'answered' && response.answer === 'Approve';
  return approved ? { kind: 'proceed' } : { kind: 'rejected', notification: known };
}

async function ask(ledger: Ledger, { projectId, taskId, fence, by }: ChangedTask, question: Question) {
  const asked = { projectId, source: 'approval' as const, sourceId: taskId, questions: [question] };
  const claim = fence === undefined ? {} : { fence };
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
