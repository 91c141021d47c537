import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import { isCorrection } from '../../agents/run/transcript.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isSuccess } from '../../ledger/tasks/coder-result.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import { isQuestion } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { Purpose, Run, RunJudgement, RunWork } from '../../schema/run.ts';
import { isEnvironmentEnd } from './faults.ts';

/** The work that agents are started for. */
export interface Asker {
  projectId: string;
  /** The task that an answer is for. */
  taskId?: string;
  source: Run['source'];
  sourceId: string;
  /** Tells it apart from other work of the same asker. All runs of a phase or task belong to it, whoever recorded them. */
  work?: AnswerWork;
}

export type AnswerWork = Extract<RunWork, { for: 'answer' }>;

/** What is on record about a piece of work. Only its holder adds to it, so it is read once per step. */
export interface History {
  /** Its runs, newest first, whether or not they still count. */
  runs: Run[];
  /** The runs since it was last accepted, given up, reopened or unblocked, newest first. */
  past: PastRun[];
  /** What was sent back since then, oldest first. */
  sentBack: SentBack[];
  /** What its agents asked, oldest first. */
  asked: Notification[];
  /** What has to be settled before the next step. */
  open: Notification[];
  /**
   * The last agent ended without the answer to a question of its commands, which is there now, or without what a person
   * said to it.
   */
  isUninformed: boolean;
  /** The journal of a phase or task. */
  records: PhaseRecord[];
}

export interface PastRun {
  run: Run;
  purpose: Purpose;
  /** The findings it was started with. */
  findings?: string;
  outcome: RunOutcome;
  /** What the agent of a phase or task reports, if it is readable. */
  result?: CoderResult;
}

type RunOutcome =
  | { kind: 'unfinished' }
  /** It gave an answer, which nobody has judged. */
  | { kind: 'answer' }
  /** The questions of its answer are in the ledger. */
  | { kind: 'asked' }
  | { kind: 'sent_back' }
  | { kind: 'failed'; reason: string }
  /** The environment ended it, so it does not count as an attempt. */
  | { kind: 'fault' };

export interface SentBack {
  text: string;
  purpose: Purpose;
  /** What is wrong with it, in a format that depends on the work. */
  findings: unknown;
}

export async function readHistory(
  ledger: Ledger,
  { projectId, taskId, source, sourceId, work }: Asker,
): Promise<History> {
  const notifications = await ledger.notifications.asked(projectId, source, sourceId);
  const runs =
    taskId === undefined
      ? await ledger.runs.of(projectId, source, sourceId)
      : await ledger.runs.ofTask(projectId, taskId);
  const history = work
    ? historyOfAnswer(work, runs, notifications)
    : historyOfTask(runs, notifications, await ledger.phases.list(projectId, sourceId));
  const isUnheard = (await ledger.tasks.queued(projectId, taskId ?? sourceId)).length > 0;
  return { ...history, isUninformed: history.isUninformed || isUnheard };
}

export function historyOfTask(runs: Run[], notifications: Notification[], records: PhaseRecord[]): History {
  const past = runsSinceRestart(runs, records).map((run) => pastOfTask(run, notifications));
  const sentBack = past
    .filter(({ purpose }) => purpose !== 'work')
    .map(({ run, purpose, findings }) => ({ text: textOf(run), purpose, findings }))
    .reverse();
  const [last] = past;
  const waitsFor = last ? blocking(last, notifications) : [];
  return {
    ...{ runs, past, sentBack, records },
    asked: notifications.filter(isQuestion),
    open: waitsFor.filter(isOpen),
    isUninformed: last?.outcome.kind === 'answer' && waitsFor.some(({ status }) => status === 'answered'),
  };
}

function pastOfTask(run: Run, notifications: Notification[]): PastRun {
  const read = parseCoderResult(textOf(run));
  const { purpose, findings } = run.data.for === 'task' ? run.data : { purpose: 'work' as const };
  return {
    run,
    purpose,
    outcome: outcomeOf(run, notifications, failureOf(run, read)),
    ...(findings === undefined ? {} : { findings }),
    ...(read.kind === 'answer' ? { result: read.value } : {}),
  };
}

/** Approvals and questions of tools concern only the process that asked, so they do not stop a new one. */
function blocking({ run, outcome, result }: PastRun, notifications: Notification[]): Notification[] {
  if (outcome.kind === 'asked') return notifications.filter((each) => isFromAnswer(each, run));
  return outcome.kind === 'answer' && result?.open_questions === undefined
    ? notifications.filter((each) => isUnheard(each, run))
    : [];
}

/**
 * Asked by a command of the agent, so the run does not deliver its answer. An amended answer is undelivered whoever asked.
 */
const isUnheard = (each: Notification, { id }: Run) =>
  isCorrection(each) || (each.holds.run === id && each.resume?.run === undefined);

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

export function historyOfAnswer(work: AnswerWork, all: Run[], notifications: Notification[]): History {
  const runs = all.filter(({ data }) => data.for === 'answer' && data.about === work.about);
  const sinceAccepted = until(runs, 'accepted');
  const ids = new Set(sinceAccepted.map(({ id }) => id));
  const asked = notifications
    .filter(isQuestion)
    .filter(({ resume, status }) => status !== 'recorded' && ids.has(resume?.run ?? ''));
  const past = until(sinceAccepted, 'given_up').map(
    (run): PastRun => ({ run, purpose: 'work', outcome: outcomeOf(run, asked, failureToAnswer(run)) }),
  );
  // An agent that came back with questions did not fail: what was sent back before does not count any more.
  const lastAsked = past.findIndex(({ outcome }) => outcome.kind === 'asked');
  const sentBack = past
    .slice(0, lastAsked < 0 ? past.length : lastAsked)
    .flatMap(({ run }) => {
      const { judgement } = run.data;
      if (judgement?.kind !== 'sent_back') return [];
      return [{ text: textOf(run), purpose: 'fix' as const, findings: judgement.findings }];
    })
    .reverse();
  const open = asked.filter(isOpen);
  return { runs, past, sentBack, asked, open, isUninformed: false, records: [] };
}

function until(newestFirst: Run[], kind: RunJudgement['kind']): Run[] {
  const end = newestFirst.findIndex(({ data }) => data.judgement?.kind === kind);
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}

/** `failure`: why its answer cannot be judged. */
function outcomeOf(run: Run, asked: Notification[], failure: string | undefined): RunOutcome {
  if (run.status !== 'ended') return { kind: 'unfinished' };
  if (run.data.judgement !== undefined) return { kind: 'sent_back' };
  if (run.end && isEnvironmentEnd(run.end)) return { kind: 'fault' };
  if (asked.some((each) => isFromAnswer(each, run))) return { kind: 'asked' };
  return failure === undefined ? { kind: 'answer' } : { kind: 'failed', reason: failure };
}

/** Why an agent gave neither a result nor questions. */
function failureOf(run: Run, read: ReturnType<typeof parseCoderResult>): string | undefined {
  const message = run.end?.message ?? '';
  if (read.kind === 'answer') {
    const { open_questions, summary } = read.value;
    if (run.end?.reason !== 'ok') return summary || message;
    if (open_questions !== undefined || isSuccess(read.value)) return undefined;
    return `The agent reported a failure: ${summary || message}`;
  }
  if (run.end?.reason !== 'ok') return message;
  const lastWords = textOf(run).trim().split('\n').at(-1)?.slice(0, 200);
  const said = lastWords ? `It last said: "${lastWords}"` : 'It said nothing.';
  return `The agent ended without a readable result: ${read.reason} ${said}`;
}

/** Any words are an answer; whether they can be used is judged later. */
function failureToAnswer(run: Run): string | undefined {
  const isAnswer = run.end?.reason === 'ok' && textOf(run).trim() !== '';
  return isAnswer ? undefined : (run.end?.message ?? '');
}

/** An agent that starts with the answers to its predecessor's last questions continues the predecessor's life. */
export const lifeOfAnswer = ({ id, data }: Run) => data.continues ?? data.life ?? id;

export const textOf = (run: Run) => run.end?.text ?? '';

const isOpen = ({ status }: Notification) => status === 'open';

/** Asked in the answer with which a run ended, not by a tool during the work. */
const isFromAnswer = ({ resume }: Notification, run: Run) =>
  resume?.run === run.id && resume.toolCallId === undefined;
