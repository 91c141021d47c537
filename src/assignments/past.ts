import type { Ledger } from '../ledger/ledger.ts';
import { isQuestion } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import type { Assignment, Past, SentBack } from './assignment.ts';

/** An assignment as the ledger knows it. */
export interface Known<F> extends Past<F> {
  /** Its runs since it was last accepted or given up, newest first. */
  runs: Run[];
}

/** Whose work an assignment is, and which of theirs. */
type Asker = Pick<Assignment<unknown, unknown>, 'projectId' | 'source' | 'sourceId' | 'mark'>;

/** Reads what is known of an assignment; `F` is what was stored when an answer was sent back. */
export async function readPast<F>(ledger: Ledger, assignment: Asker): Promise<Known<F>> {
  const { projectId, source, sourceId, mark } = assignment;
  const all = await ledger.runs.of(projectId, source, sourceId);
  const own = all.filter(({ data }) => Object.entries(mark).every(([name, value]) => data[name] === value));
  const since = until(own, 'accepted');
  const runs = until(since, 'given_up');
  const ids = new Set(since.map(({ id }) => id));
  const asked = (await ledger.notifications.asked(projectId, source, sourceId))
    .filter(isQuestion)
    .filter(({ resume, status }) => status !== 'recorded' && ids.has(resume?.run ?? ''));
  return { runs, asked, sentBack: sentBackOf<F>(runs, asked) };
}

/** Oldest first. An agent that came back with questions did not fail: what was sent back before does not count any more. */
function sentBackOf<F>(runs: Run[], asked: Notification[]): SentBack<F>[] {
  const questions = runs.findIndex((run) => asked.some((each) => isFromAnswer(each, run)));
  return (questions < 0 ? runs : runs.slice(0, questions))
    .flatMap((run) => {
      const judgement = judgementOf<F>(run);
      return judgement?.kind === 'sent_back' ? [{ text: textOf(run), findings: judgement.findings }] : [];
    })
    .reverse();
}

/** What was made of a run's answer; stored in its data, so that no process judges it again. */
export type StoredJudgement<F> = { kind: 'accepted' } | { kind: 'sent_back' | 'given_up'; findings: F };

export const judgementOf = <F>({ data }: Run) => data.judgement as StoredJudgement<F> | undefined;

/** Its answer was used, or was the last one that was tried: another process has nothing left to do. */
export function isClosed(run: Run): boolean {
  const judgement = judgementOf(run);
  return judgement !== undefined && judgement.kind !== 'sent_back';
}

export const textOf = (run: Run) => run.end?.text ?? '';

/** It ended well, and said something. */
export const hasAnswer = (run: Run) => run.end?.reason === 'ok' && textOf(run).trim() !== '';

/** Asked in the answer with which a run ended, not by a tool while it was at work. */
export function isFromAnswer({ resume }: Notification, run: Pick<Run, 'id'>): boolean {
  return resume?.run === run.id && resume.toolCallId === undefined;
}

function until(newestFirst: Run[], kind: StoredJudgement<unknown>['kind']): Run[] {
  const end = newestFirst.findIndex((run) => judgementOf(run)?.kind === kind);
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}
