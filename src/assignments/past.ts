import type * as z from 'zod';
import { stored } from '../ledger/engine/stored.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isQuestion } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run, RunData, RunJudgement } from '../schema/run.ts';
import type { AssignedWork, Assignment, SentBack } from './assignment.ts';

/** An assignment as the ledger knows it. */
export interface Known {
  /** Its runs since it was last accepted or given up, newest first. */
  runs: Run[];
  /** What its agents asked since it was last accepted, oldest first. */
  asked: Notification[];
}

/** The asker and the identity of an assignment. */
type Asker = Pick<Assignment<unknown, unknown>, 'projectId' | 'source' | 'sourceId' | 'work'>;

export async function readPast(ledger: Ledger, assignment: Asker): Promise<Known> {
  const { projectId, source, sourceId, work } = assignment;
  const all = await ledger.runs.of(projectId, source, sourceId);
  const own = all.filter(({ data }) => isFor(work, data));
  const since = until(own, 'accepted');
  const runs = until(since, 'given_up');
  const ids = new Set(since.map(({ id }) => id));
  const asked = (await ledger.notifications.asked(projectId, source, sourceId))
    .filter(isQuestion)
    .filter(({ resume, status }) => status !== 'recorded' && ids.has(resume?.run ?? ''));
  return { runs, asked };
}

/** Whether a run is for exactly this work. */
function isFor(work: AssignedWork, data: RunData): boolean {
  switch (work.for) {
    case 'role':
      return data.for === work.for && data.task === work.task;
    case 'draft':
    case 'convert':
    case 'plan-from-issues':
    case 'review':
      return data.for === work.for && data.about === work.about;
    default: {
      const never: never = work;
      return never;
    }
  }
}

/**
 * The answers that were sent back, oldest first. An agent that came back with questions did not fail: what was sent back
 * before does not count any more.
 */
export function sentBackOf<F>({ runs, asked }: Known, findings: z.ZodType<F>): SentBack<F>[] {
  const questions = runs.findIndex((run) => asked.some((each) => isFromAnswer(each, run)));
  return (questions < 0 ? runs : runs.slice(0, questions))
    .flatMap((run) => {
      const { judgement } = run.data;
      if (judgement?.kind !== 'sent_back') return [];
      const what = `why the answer of run ${run.id} was sent back`;
      return [{ text: textOf(run), findings: stored(findings, judgement.findings, what) }];
    })
    .reverse();
}

/** Its answer was used, or was the last attempt, so another process has nothing left to do. */
export function isClosed({ data: { judgement } }: Run): boolean {
  return judgement !== undefined && judgement.kind !== 'sent_back';
}

export const textOf = (run: Run) => run.end?.text ?? '';

/** It ended successfully with a non-empty answer. */
export const hasAnswer = (run: Run) => run.end?.reason === 'ok' && textOf(run).trim() !== '';

/** Asked in the answer with which a run ended, not by a tool during the work. */
export function isFromAnswer({ resume }: Notification, run: Pick<Run, 'id'>): boolean {
  return resume?.run === run.id && resume.toolCallId === undefined;
}

function until(newestFirst: Run[], kind: RunJudgement['kind']): Run[] {
  const end = newestFirst.findIndex(({ data }) => data.judgement?.kind === kind);
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}
