import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import { isCorrection } from '../../agents/run/transcript.ts';
import { isFromAnswer, textOf } from '../../assignments/past.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isSuccess } from '../../ledger/tasks/coder-result.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { Run } from '../../schema/run.ts';
import { isEnvironmentEnd } from './environment-fault.ts';
import type { PastRun } from './next-move.ts';

/** What is on record about a task. Only its holder adds to it, so it is read once per step. */
export interface WorkHistory {
  /** The agents that were started on it, newest first. */
  runs: Run[];
  records: PhaseRecord[];
  /** What its agents have done since it last failed for good or was reopened, newest first. */
  past: PastRun[];
}

export async function readHistory(ledger: Ledger, projectId: string, taskId: string): Promise<WorkHistory> {
  const asked = await ledger.notifications.asked(projectId, 'execute', taskId);
  const records = await ledger.phases.list(projectId, taskId);
  const runs = await ledger.runs.of(projectId, 'execute', taskId);
  return { records, runs, past: runsSinceRestart(runs, records).map((run) => toPastRun(run, asked)) };
}

/**
 * A person who lifts the block, or reopens what was merged, wants a fresh try, so earlier agents do not count any more. An
 * interrupted session does, and continues.
 */
function runsSinceRestart(runs: Run[], records: PhaseRecord[]): Run[] {
  const merged = records.findIndex(({ kind }) => kind === 'merge');
  const restart = records.findLast(
    ({ kind }, index) => kind === 'failed' || (kind === 'reopened' && merged !== -1 && merged < index),
  );
  const counts = ({ startedAt, status }: Run) => !restart || startedAt > restart.at || status !== 'ended';
  return runs.filter(counts);
}

function toPastRun(run: Run, notifications: Notification[]): PastRun {
  const { end } = run;
  const read = parseCoderResult(textOf(run));
  const result = read.kind === 'answer' ? read.value : undefined;
  return {
    id: run.id,
    purpose: purposeOf(run),
    status: run.status,
    reason: end?.reason,
    isFault: end !== null && isEnvironmentEnd(end),
    message: messageOf(end, read),
    answer: answerOf(result),
    ...(result ? { result } : {}),
    asked: askedBy(run, notifications),
    ...undeliveredBy(run, notifications),
    life: lifeOfAnswer(run),
    ...findingsOf(run),
  };
}

/** A run that another program recorded counts as ordinary work. */
export const purposeOf = ({ data }: Run) => (data.for === 'task' ? data.purpose : 'work');

const findingsOf = ({ data }: Run) =>
  data.for === 'task' && data.findings !== undefined ? { findings: data.findings } : {};

/** An agent that starts with the answers to its predecessor's last questions continues the predecessor's life. */
export const lifeOfAnswer = ({ id, data }: Run) => data.continues ?? data.life ?? id;

function messageOf(end: Run['end'], read: ReturnType<typeof parseCoderResult>): string {
  if (read.kind === 'answer') return read.value.summary || (end?.message ?? '');
  if (end?.reason !== 'ok') return end?.message ?? '';
  const lastWords = end.text.trim().split('\n').at(-1)?.slice(0, 200);
  return `${read.reason} ${lastWords ? `It last said: "${lastWords}"` : 'It said nothing.'}`;
}

function answerOf(result: CoderResult | undefined): PastRun['answer'] {
  if (!result) return 'unreadable';
  if (result.open_questions !== undefined) return 'questions';
  return isSuccess(result) ? 'result' : 'failed';
}

/** The questions in its last answer belong to the run and have no tool call. */
function askedBy(run: Run, notifications: Notification[]): PastRun['asked'] {
  const own = notifications.filter((each) => isFromAnswer(each, run));
  if (own.length === 0) return 'not_yet';
  return own.some(({ status }) => status === 'open') ? 'open' : 'settled';
}

/**
 * A question from a command of the agent, whose answer the run does not deliver. An amended answer is undelivered whoever
 * asked.
 */
function undeliveredBy({ id }: Run, notifications: Notification[]): Pick<PastRun, 'undelivered'> {
  const own = notifications.filter(
    (each) => isCorrection(each) || (each.holds.run === id && each.resume?.run === undefined),
  );
  const undelivered = (['open', 'answered'] as const).find((wanted) =>
    own.some(({ status }) => status === wanted),
  );
  return undelivered === undefined ? {} : { undelivered };
}
