import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import type { GateWait } from '../gates/block-gate.ts';
import { roundOf } from '../gates/human-gates.ts';
import { testingGate } from '../gates/phase-gates.ts';
import { variantsGate } from '../gates/variants-gate.ts';
import { commitAll, commitTracked } from '../git/commit-all.ts';
import { branchTip } from '../git/refs.ts';
import { closePhase, runPhaseGates } from '../phases/complete.ts';
import { requiresManualTesting } from '../phases/front-matter.ts';
import { recordImplementation } from '../phases/record.ts';
import type { GateRun } from '../phases/run-gates.ts';
import { Refusal } from '../refusal.ts';
import { mergeWorktree } from '../worktrees/merge-worktree.ts';
import { checkAutonomy } from './check-autonomy.ts';
import type { Purpose } from './next-move.ts';
import { runsSinceFailure } from './past-runs.ts';
import { type Outing, sendAgent } from './send-agent.ts';
import { untilAllVariantsAreReady } from './variants-ready.ts';

/** How often an agent is sent out again for the same kind of finding. */
const MOST_ROUNDS = 3;

/**
 * An agent says that it is done: we look for ourselves. `again`: it was sent out with what was found, or the look was
 * broken off. `over`: merged and closed, or not chosen, or it holds.
 */
export async function verifyPhase(outing: Outing): Promise<'again' | 'over'> {
  const { run, held, at, worktree } = outing;
  const { place } = run;
  await held.confirm();
  await commitAll(worktree.path, `Phase ${at.number}: ${at.phase.title}`);
  await recordWork(outing);
  const gates = await checkGates(outing);
  if (gates === 'interrupted') return 'again';
  await held.confirm();
  await commitTracked(worktree.path, `Phase ${at.number}: what its gate commands changed`);
  if ('findings' in gates) return again(outing, 'fix', gates.findings);
  const allowed = await checkAutonomy(outing);
  if (allowed.kind === 'waiting') return 'over';
  if (allowed.kind === 'rejected') return again(outing, 'fix', allowed.findings);
  if (requiresManualTesting(at.front)) {
    const tried = (await testingGate(place, at, waitFor(outing))) as TestingResult;
    if (!tried.passed) return again(outing, 'refine', JSON.stringify(tried, null, 2));
  }
  if (at.variants.length > 0 && !(await isChosen(outing))) return 'over';
  const conflict = await merge(outing);
  if (conflict) return again(outing, 'merge', conflict);
  const { archived = [] } = await closePhase(place, at, gates.runs, held.task.fence);
  for (const { branch, problem } of archived) {
    if (problem) run.tell(at, `${branch} is to be discarded, but is still there: ${problem}`);
  }
  run.tell(at, `done: merged into ${run.featureBranch}`);
  return 'over';
}

interface TestingResult {
  passed: boolean;
}

/** What the agent did is on record, once for each time that it was sent out, in its own words where it has not said so itself. */
async function recordWork({ run, held, at }: Outing): Promise<void> {
  const { ledger, projectId } = run.place;
  const [last] = await ledger.runs.of(projectId, 'execute', held.task.id);
  const records = await ledger.phases.list(projectId, at.taskId);
  const done = records.findLast(({ kind }) => kind === 'implementation');
  if (last && done && done.at >= last.startedAt) return;
  const iteration = roundOf(records) + 1;
  const purpose = String(last?.data.purpose ?? 'work');
  await recordImplementation(run.place, at, {
    walkthrough: inOwnWords(String(last?.end?.text ?? '')),
    iteration,
    reason:
      iteration === 1 ? undefined : `${purpose === 'refine' ? 'Testing' : 'Review'} feedback: ${purpose}`,
  });
}

/** For a person: the sentences of its result, without the JSON around them. */
function inOwnWords(text: string): string {
  const read = parseCoderResult(text);
  const sentences = read.kind === 'answer' ? [read.value.summary, read.value.notes].filter(Boolean) : [];
  return (sentences.join('\n\n') || text || 'Nothing was said about it.').slice(0, 50_000);
}

type Checked = { runs: GateRun[] } | { findings: string } | 'interrupted';

async function checkGates({ run, held, at }: Outing): Promise<Checked> {
  const options = {
    timeoutMs: run.gateTimeoutMs,
    signal: held.signal,
    tell: (sentence: string) => run.tell(at, sentence),
  };
  try {
    return { runs: await runPhaseGates(run.place, at, options) };
  } catch (error) {
    // Ended while this process was suspended: whoever has the phase now runs them again.
    if (error instanceof Refusal && error.type === 'interrupted') return 'interrupted';
    if (!(error instanceof Refusal) || error.type !== 'gates_failed') throw error;
    run.tell(at, error.message);
    const { gates } = error.details as { gates: GateRun[] };
    const failed = gates.filter(({ passed }) => !passed);
    return {
      findings: failed
        .map(
          ({ name, command, problem, output }) =>
            `${name}: \`${command}\` ${problem}\n\n${output.slice(-4000)}`,
        )
        .join('\n\n'),
    };
  }
}

/** While a person is waited for, the task takes nobody's place. */
function waitFor({ run, held, at }: Outing): GateWait {
  return {
    timeoutMs: undefined,
    signal: held.signal,
    person: run.person,
    schemas: run.schemas,
    tell: (sentence) => run.tell(at, sentence),
    onWait: held.onHold,
  };
}

/** Whether this variant is the one to be merged. What becomes of the others is seen to when this one is closed. */
async function isChosen(outing: Outing): Promise<boolean> {
  const { run, at, held } = outing;
  const { place, gateTimeoutMs } = run;
  held.onHold(true);
  await untilAllVariantsAreReady(place, at, held.signal);
  // The run ends before it can be compared: the next one comes here again.
  if (held.signal.aborted) return false;
  held.onHold(false);
  const { variant_solution } = await variantsGate(place, at.number, at.variant, {
    ...waitFor(outing),
    gateTimeoutMs,
  });
  run.tell(at, `variant ${at.variant} is ${variant_solution}`);
  return variant_solution === 'main';
}

/** Undefined where it is merged; else what an agent has to resolve. */
async function merge({ run, worktree }: Outing): Promise<string | undefined> {
  try {
    // The agent's work was committed before its gates: what is new since is theirs, such as a report.
    await mergeWorktree(run.place.git, worktree, { untracked: 'leave' });
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'merge_conflict') throw error;
    return `${error.message}\n\n${JSON.stringify(error.details, null, 2)}`;
  }
}

async function again(outing: Outing, purpose: Purpose, findings: string): Promise<'again' | 'over'> {
  const { ledger, projectId } = outing.run.place;
  const runs = await runsSinceFailure(ledger, projectId, outing.held.task.id);
  const before = runs.filter(({ data }) => data.purpose === purpose);
  if (purpose !== 'refine' && before.length >= MOST_ROUNDS) {
    throw new Refusal(
      'still_failing',
      `Still not done after ${before.length} attempts to ${purpose} it: ${findings}`,
    );
  }
  const { run } = await sendAgent(outing, { purpose, findings }, await aboutMerge(outing, purpose));
  return run.status === 'ended' ? 'again' : 'over';
}

/** What the agent merges is written down before it could move the branch. */
async function aboutMerge({ run, worktree }: Outing, purpose: Purpose): Promise<{ merges?: string }> {
  const merges =
    purpose === 'merge' ? await branchTip(run.place.git.commonDir, worktree.featureBranch) : undefined;
  return merges === undefined ? {} : { merges };
}
