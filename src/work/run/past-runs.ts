import type { EndReason } from '../../agents/driver.ts';
import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import { isSuccess } from '../../ledger/coder-result.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';
import type { PastRun, Purpose } from './next-move.ts';

/** What the agents of a task have done since it last failed for good, newest first. */
export async function pastRuns(ledger: Ledger, projectId: string, taskId: string): Promise<PastRun[]> {
  const asked = await ledger.notifications.asked(projectId, 'execute', taskId);
  return (await runsSinceFailure(ledger, projectId, taskId)).map((run) => toPastRun(run, asked));
}

/** A person who lifts the block wants it tried anew: what failed before does not count any more. */
export async function runsSinceFailure(ledger: Ledger, projectId: string, taskId: string): Promise<Run[]> {
  const failed = (await ledger.phases.list(projectId, taskId)).findLast(({ kind }) => kind === 'failed');
  const runs = await ledger.runs.of(projectId, 'execute', taskId);
  return failed ? runs.filter(({ startedAt }) => startedAt > failed.at) : runs;
}

function toPastRun(run: Run, notifications: Notification[]): PastRun {
  const end = run.end ?? {};
  const read = parseCoderResult(String(end.text ?? ''));
  const result = read.kind === 'answer' ? read.value : undefined;
  return {
    id: run.id,
    purpose: (run.data.purpose as Purpose | undefined) ?? 'work',
    status: run.status,
    reason: run.end ? (String(end.reason) as EndReason) : undefined,
    message: messageOf(end, read),
    answer: answerOf(result),
    asked: askedBy(run, notifications),
    ...unheardBy(run, notifications),
    ...(typeof run.data.findings === 'string' ? { findings: run.data.findings } : {}),
  };
}

function messageOf(end: NonNullable<Run['end']>, read: ReturnType<typeof parseCoderResult>): string {
  if (read.kind === 'answer') return read.value.summary || String(end.message ?? '');
  if (end.reason !== 'ok') return String(end.message ?? '');
  const lastWords = String(end.text ?? '')
    .trim()
    .split('\n')
    .at(-1)
    ?.slice(0, 200);
  return `${read.reason} ${lastWords ? `Its last words: "${lastWords}"` : 'It said nothing.'}`;
}

function answerOf(result: CoderResult | undefined): PastRun['answer'] {
  if (!result) return 'unreadable';
  if (result.open_questions !== undefined) return 'questions';
  return isSuccess(result) ? 'result' : 'failed';
}

/** The questions in its last answer are asked under the run's name, without a tool call. */
function askedBy(run: Run, notifications: Notification[]): PastRun['asked'] {
  const own = notifications.filter(({ resume }) => resume?.run === run.id && resume.toolCallId === undefined);
  if (own.length === 0) return 'not_yet';
  return own.some(({ status }) => status === 'open') ? 'open' : 'settled';
}

/** What an agent asks by a command of its own has no run: it is known by its time. */
function unheardBy({ startedAt }: Run, notifications: Notification[]): Pick<PastRun, 'unheard'> {
  const own = notifications.filter(
    ({ resume, createdBy, createdAt }) =>
      resume?.run === undefined && createdBy.actor.kind === 'agent' && createdAt >= startedAt,
  );
  const unheard = (['open', 'answered'] as const).find((wanted) =>
    own.some(({ status }) => status === wanted),
  );
  return unheard === undefined ? {} : { unheard };
}
