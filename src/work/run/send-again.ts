import { commitOf } from '../../git/refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Purpose } from '../../schema/run.ts';
import { featureRef } from '../worktrees/exchange/remote-context.ts';
import type { WorkHistory } from './past-runs.ts';
import { purposeWords, sendAgent } from './send-agent.ts';
import type { TaskContext } from './task-context.ts';

/** How often an agent is started again for the same kind of finding. */
const MAX_ROUNDS = 3;

/** Starts an agent with what was found wrong. */
export async function sendAgain(
  context: TaskContext,
  { past }: WorkHistory,
  purpose: Purpose,
  findings: string,
): Promise<'again' | 'over'> {
  const before = past.filter((each) => each.purpose === purpose);
  if (purpose !== 'refine' && before.length >= MAX_ROUNDS) {
    throw new Refusal(
      'still_failing',
      `Gave up after ${before.length} attempts to ${purposeWords[purpose]}: ${findings}`,
    );
  }
  const { run } = await sendAgent(context, { purpose, findings }, await aboutMerge(context, purpose));
  return run.status === 'ended' ? 'again' : 'over';
}

/** The commit that the agent has to merge, recorded before the agent can move the branch. */
async function aboutMerge({ run, worktree }: TaskContext, purpose: Purpose): Promise<{ merges?: string }> {
  const { git } = run.around;
  const merges =
    purpose === 'merge' ? await commitOf(git.commonDir, featureRef(git, worktree.featureBranch)) : undefined;
  return merges === undefined ? {} : { merges };
}
