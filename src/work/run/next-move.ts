import type { CoderResult } from '../../schema/coder-result.ts';
import type { Purpose, RunStatus } from '../../schema/run.ts';

/** What is known about an agent that worked on a task. */
export interface PastRun {
  id: string;
  purpose: Purpose;
  status: RunStatus;
  /** How it ended; undefined while it has not. */
  reason: string | undefined;
  /** The environment ended it, so it does not count as an attempt. */
  isFault?: boolean;
  /** What it said about its end, or what is wrong with that. */
  message: string;
  /** What its answer contains: a result, open questions, a failure, or nothing readable. */
  answer: 'result' | 'questions' | 'failed' | 'unreadable';
  /** Its answer, if it is readable. */
  result?: CoderResult;
  /** The state of the questions in its answer. */
  asked: 'not_yet' | 'open' | 'settled';
  /** The state of a question that one of its commands asked and did not wait for. */
  undelivered?: 'open' | 'answered';
  /** The findings it was started with. */
  findings?: string;
  /** The life in which it asked the questions of its answer. */
  life: string;
}

/** What an agent is started for. */
export interface AgentBrief {
  purpose: Purpose;
  /** What was found wrong with earlier work. */
  findings?: string;
  /** How the previous agent failed, so that this one can do better. */
  failure?: string;
  /**
   * The life of the previous agent, which ended with questions. This agent has the answers, and repeats a question only
   * on purpose.
   */
  continues?: string;
}

export type Move =
  | ({ kind: 'start' } & AgentBrief)
  | { kind: 'resume'; run: string }
  | { kind: 'ask'; run: string }
  | { kind: 'wait' }
  | { kind: 'verify' }
  | { kind: 'give_up'; reason: string };

/** How often an agent is started again after a failure. */
const RETRIES = 1;

/** What to do next for a task, given what its agents have done so far, newest first. A question is not a failure. */
export function nextMove(runs: readonly PastRun[]): Move {
  const [last] = runs;
  if (!last) return { kind: 'start', purpose: 'work' };
  if (last.status !== 'ended') return { kind: 'resume', run: last.id };
  if (last.reason === 'ok' && last.answer === 'questions') return afterQuestions(last);
  if (last.reason === 'ok' && last.answer === 'result') return afterResult(last);
  if (last.isFault) return again(last);
  const attempts = runs.filter(({ isFault }) => !isFault);
  const failures = attempts.findIndex((run) => !isFailure(run));
  if ((failures === -1 ? attempts.length : failures) <= RETRIES)
    return { ...again(last), failure: whatFailed(last) };
  return { kind: 'give_up', reason: whatFailed(last) };
}

function again({ purpose, findings }: PastRun): Extract<Move, { kind: 'start' }> {
  return { kind: 'start', purpose, ...(findings === undefined ? {} : { findings }) };
}

/** The agent is not done until it has received the answer to its question. */
function afterResult(last: PastRun): Move {
  if (last.undelivered === undefined) return { kind: 'verify' };
  return last.undelivered === 'open' ? { kind: 'wait' } : again(last);
}

function afterQuestions(last: PastRun): Move {
  const { id, asked } = last;
  switch (asked) {
    case 'not_yet':
      return { kind: 'ask', run: id };
    case 'open':
      return { kind: 'wait' };
    case 'settled':
      return { ...again(last), continues: last.life };
    default: {
      const never: never = asked;
      return never;
    }
  }
}

const isFailure = ({ reason, answer }: PastRun) =>
  reason !== 'ok' || answer === 'failed' || answer === 'unreadable';

function whatFailed({ reason, answer, message }: PastRun): string {
  if (reason !== 'ok') return message;
  return answer === 'failed'
    ? `The agent reported a failure: ${message}`
    : `The agent ended without a readable result: ${message}`;
}
