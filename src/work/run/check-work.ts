import { commitTracked } from '../../git/commit.ts';
import { git } from '../../git/git.ts';
import type { CoderResult } from '../../schema/coder-result.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Run } from '../../schema/run.ts';
import { roundOf } from '../gates/human-gates.ts';
import { appendImplementation } from '../phases/record.ts';
import { recordedGates } from '../phases/recorded-gates.ts';
import { runWorkGates } from '../phases/run-work-gates.ts';
import { type History, textOf } from './history.ts';
import { commitWork } from './keep-work.ts';
import { exchangeWork } from './merge-work.ts';
import type { Checked } from './perform.ts';
import type { TaskContext } from './work-run.ts';

/**
 * Commits and records what the last agent did, and runs the gate commands. Work that was already checked is left alone:
 * otherwise files left by gate commands would change it on every resume, and a person would have to test it again.
 */
export async function checkWork(context: TaskContext, history: History): Promise<Checked> {
  const { item, worktree } = context;
  const { records, runs } = history;
  const [last] = runs;
  const checked = records.findLast((each) => each.kind === 'gates');
  const isChecked = last !== undefined && checked?.data.run === last.id;
  if (!isChecked) {
    const isKept = last?.end?.commit !== undefined;
    const operation = isKept ? undefined : await commitWork(context, item.title);
    if (operation !== undefined)
      return { kind: 'send_back', purpose: 'fix', findings: unfinished(operation) };
    await recordWork(context, history);
  }
  const exchanged = await exchangeWork(context);
  if (exchanged.kind !== 'pass') return exchanged;
  const recorded = isChecked ? await recordedGates(records, item.gates, worktree) : undefined;
  if (recorded?.every(({ passed }) => passed)) return exchanged;
  return (await checkGates(context, last)) ?? exchanged;
}

const unfinished = (operation: string) =>
  `A ${operation} is in progress in this worktree. Finish it or abort it.`;

/** Records what the agent did, once per run, in its own words unless it recorded that itself. */
async function recordWork({ run, item }: TaskContext, { records, past: [last] }: History): Promise<void> {
  const done = records.findLast((each) => each.kind === 'implementation');
  if (last && done && done.at >= last.run.startedAt) return;
  const iteration = roundOf(records) + 1;
  const { purpose = 'work', result = {} } = last ?? {};
  await appendImplementation(run.around, item.taskId, {
    walkthrough: inOwnWords(result, last ? textOf(last.run) : ''),
    iteration,
    reason:
      iteration === 1 ? undefined : `${purpose === 'refine' ? 'Testing' : 'Review'} feedback: ${purpose}`,
  });
}

/** For a person: the sentences of its result, without the JSON around them. */
function inOwnWords({ summary, notes }: CoderResult, text: string): string {
  const sentences = [summary, notes].filter(Boolean);
  return (sentences.join('\n\n') || text || 'The agent did not describe its work.').slice(0, 50_000);
}

/** Undefined if all passed. */
async function checkGates(
  { run, held, item, worktree }: TaskContext,
  last: Run | undefined,
): Promise<Checked | undefined> {
  const options = {
    timeoutMs: run.gateTimeoutMs,
    signal: held.signal,
    tell: (sentence: string) => run.tell(item, sentence),
    changes: {
      commit: async () => {
        await held.confirm();
        return commitTracked(worktree.path, `${item.label}: changes by its gate commands`);
      },
      undo: async (to: string) => {
        await held.confirm();
        await git(worktree.path, ['reset', '--hard', '--quiet', to]);
      },
    },
    ...(last ? { run: last.id } : {}),
  };
  try {
    await runWorkGates(run.around, item, worktree.path, options);
    return undefined;
  } catch (error) {
    // Ended while this process was suspended; the current holder of the phase runs them again.
    if (error instanceof Refusal && error.type === 'interrupted') return { kind: 'moved' };
    if (!(error instanceof Refusal) || error.type !== 'gates_failed') throw error;
    run.tell(item, error.message);
    const { gates } = error.details as { gates: GateRun[] };
    const failed = gates.filter(({ passed }) => !passed);
    return {
      kind: 'send_back',
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
