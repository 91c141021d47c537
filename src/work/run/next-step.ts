import type { Notification } from '../../schema/notification.ts';
import type { Purpose, Run } from '../../schema/run.ts';
import { type History, lifeOfAnswer, type PastRun } from './history.ts';

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
  /** The commit that it has to merge, recorded before it can move the branch. */
  merges?: string;
}

export type Step =
  /** An agent has to start, with everything that happened so far. */
  | ({ kind: 'start' } & AgentBrief)
  /** The agent was interrupted or has its answers, so it continues its session. */
  | { kind: 'resume'; run: Run }
  /** The agent has ended; what it made has to be kept before anything else. */
  | { kind: 'keep'; run: Run }
  | { kind: 'wait'; run: Run; open: Notification[] }
  /** An agent has given an answer that nobody has judged yet. */
  | { kind: 'judge'; last: PastRun }
  | { kind: 'give_up'; run: Run; failure: string };

interface Rules {
  /** Whether people are asked: if not, open questions do not stop an agent. */
  asksPeople: boolean;
  /** How often an agent is started again after a failure. */
  retries?: number;
}

/** What to do next, from the ledger alone, so that any process can continue. A question is not a failure. */
export function nextStep(
  { past, open, isUninformed }: Pick<History, 'past' | 'open' | 'isUninformed'>,
  rules: Rules,
): Step {
  const [last] = past;
  if (!last) return { kind: 'start', purpose: 'work' };
  const { run, outcome } = last;
  if (rules.asksPeople && open.length > 0) return { kind: 'wait', run, open };
  switch (outcome.kind) {
    case 'unfinished':
      return { kind: run.status === 'said' ? 'keep' : 'resume', run };
    case 'answer':
      // The agent is not done until it has received the answer to its question.
      return isUninformed ? again(last) : { kind: 'judge', last };
    case 'asked':
      return { ...again(last), continues: lifeOfAnswer(run) };
    case 'sent_back':
    case 'fault':
      return again(last);
    case 'failed': {
      const { reason: failure } = outcome;
      if (failuresInARow(past) > (rules.retries ?? Number.POSITIVE_INFINITY))
        return { kind: 'give_up', run, failure };
      return { ...again(last), failure };
    }
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

function again({ purpose, findings }: PastRun): Extract<Step, { kind: 'start' }> {
  return { kind: 'start', purpose, ...(findings === undefined ? {} : { findings }) };
}

function failuresInARow(past: PastRun[]): number {
  const attempts = past.filter(({ outcome }) => outcome.kind !== 'fault');
  const failures = attempts.findIndex(({ outcome }) => outcome.kind !== 'failed');
  return failures < 0 ? attempts.length : failures;
}
