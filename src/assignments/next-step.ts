import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import { hasAnswer, isFromAnswer, type Known } from './past.ts';

export type Step =
  /** An agent has to start, with everything that happened so far. */
  | { kind: 'start' }
  /** The agent was interrupted or has its answers, so it continues its session. */
  | { kind: 'resume'; run: Run }
  | { kind: 'wait'; run: Run; open: Notification[] }
  /** An agent has given an answer that nobody has judged yet. */
  | { kind: 'judge'; run: Run };

/** What to do next, from the ledger alone, so that any process can continue. `asksPeople`: wait for open questions. */
export function nextStep({ runs, asked }: Known, asksPeople: boolean): Step {
  const [run] = runs;
  if (run === undefined) return { kind: 'start' };
  const open = asksPeople ? asked.filter(({ status }) => status === 'open') : [];
  if (open.length > 0) return { kind: 'wait', run, open };
  if (run.status !== 'ended') return { kind: 'resume', run };
  const isDealtWith = run.data.judgement !== undefined || asked.some((each) => isFromAnswer(each, run));
  return isDealtWith || !hasAnswer(run) ? { kind: 'start' } : { kind: 'judge', run };
}
