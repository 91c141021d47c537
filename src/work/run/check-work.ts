import { commitAll, commitTracked } from '../../git/commit.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Run } from '../../schema/run.ts';
import { roundOf } from '../gates/human-gates.ts';
import { appendImplementation } from '../phases/record.ts';
import { recordedGates } from '../phases/recorded-gates.ts';
import { runWorkGates } from '../phases/run-work-gates.ts';
import { leftUnfinished } from '../worktrees/receive-work.ts';
import { exchangeWork } from './exchange-work.ts';
import { purposeOf, type WorkHistory } from './past-runs.ts';
import type { TaskContext } from './task-context.ts';

/** `checkedWith`: see `exchangeWork`. `purpose`: what an agent is started for with the findings. */
type Checked =
  | { runs: GateRun[]; checkedWith?: string }
  | { findings: string; purpose: 'fix' | 'merge' }
  | 'interrupted';

/**
 * Commits and records what the last agent did, and runs the gate commands. Work that was already checked is left alone:
 * otherwise files left by gate commands would change it on every resume, and a person would have to test it again.
 */
export async function checkWork(context: TaskContext, history: WorkHistory): Promise<Checked> {
  const { item, worktree } = context;
  const { records, runs } = history;
  const [last] = runs;
  const checked = records.findLast((each) => each.kind === 'gates');
  const isChecked = last !== undefined && checked?.data.run === last.id;
  if (!isChecked) {
    const operation = leftUnfinished(worktree.path);
    if (operation !== undefined) return { findings: unfinished(operation), purpose: 'fix' };
    await commitAll(worktree.path, `${item.label}: ${item.title}`);
    await recordWork(context, history);
  }
  const exchanged = await exchangeWork(context);
  if ('conflict' in exchanged) return { findings: exchanged.conflict, purpose: 'merge' };
  const recorded = isChecked ? await recordedGates(records, item.gates, worktree) : undefined;
  if (recorded?.every(({ passed }) => passed)) return { runs: recorded, ...exchanged };
  const gates = await checkGates(context, last);
  return gates !== 'interrupted' && 'runs' in gates ? { ...gates, ...exchanged } : gates;
}

const unfinished = (operation: string) =>
  `A ${operation} is in progress in this worktree. Finish it or abort it.`;

/** Records what the agent did, once per run, in its own words unless it recorded that itself. */
async function recordWork(
  { run, item }: TaskContext,
  { records, runs: [last], past: [answered] }: WorkHistory,
): Promise<void> {
  const done = records.findLast((each) => each.kind === 'implementation');
  if (last && done && done.at >= last.startedAt) return;
  const iteration = roundOf(records) + 1;
  const purpose = last ? purposeOf(last) : 'work';
  await appendImplementation(run.around, item.taskId, {
    walkthrough: inOwnWords(last?.end?.text ?? '', answered?.result),
    iteration,
    reason:
      iteration === 1 ? undefined : `${purpose === 'refine' ? 'Testing' : 'Review'} feedback: ${purpose}`,
  });
}

/** For a person: the sentences of its result, without the JSON around them. */
function inOwnWords(text: string, result: CoderResult | undefined): string {
  const sentences = [result?.summary, result?.notes].filter(Boolean);
  return (sentences.join('\n\n') || text || 'The agent did not describe its work.').slice(0, 50_000);
}

async function checkGates(
  { run, held, item, worktree }: TaskContext,
  last: Run | undefined,
): Promise<Checked> {
  const options = {
    timeoutMs: run.gateTimeoutMs,
    signal: held.signal,
    tell: (sentence: string) => run.tell(item, sentence),
    commit: async () => {
      await held.confirm();
      return commitTracked(worktree.path, `${item.label}: changes by its gate commands`);
    },
    ...(last ? { run: last.id } : {}),
  };
  try {
    return { runs: await runWorkGates(run.around, item, worktree.path, options) };
  } catch (error) {
    // Ended while this process was suspended; the current holder of the phase runs them again.
    if (error instanceof Refusal && error.type === 'interrupted') return 'interrupted';
    if (!(error instanceof Refusal) || error.type !== 'gates_failed') throw error;
    run.tell(item, error.message);
    const { gates } = error.details as { gates: GateRun[] };
    const failed = gates.filter(({ passed }) => !passed);
    return {
      purpose: 'fix',
      findings: failed
        .map(
          ({ name, command, problem, output }) =>
            `${name}: \`${command}\` ${problem}\n\n${output.slice(-4000)}`,
        )
        .join('\n\n'),
    };
  }
}
