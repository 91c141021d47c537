import { branchTip } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Purpose } from '../../schema/run.ts';
import type { GateWait } from '../gates/block-gate.ts';
import { testingGate } from '../gates/phase-gates.ts';
import { variantsGate } from '../gates/variants-gate.ts';
import { closePhase } from '../phases/complete.ts';
import { requiresManualTesting } from '../phases/front-matter.ts';
import { mergeWorktree } from '../worktrees/merge-worktree.ts';
import { checkAutonomy } from './check-autonomy.ts';
import { checkReview } from './check-review.ts';
import { checkWork } from './check-work.ts';
import { runsSinceFailure } from './past-runs.ts';
import { recordSkipped } from './record-skipped.ts';
import { type PhaseContext, sendAgent } from './send-agent.ts';
import { untilAllVariantsAreReady } from './variants-ready.ts';

/** How often an agent is sent out again for the same kind of finding. */
const MOST_ROUNDS = 3;

/**
 * An agent says that it is done: we look for ourselves. `again`: it was sent out with what was found, or the look was
 * broken off. `over`: merged and closed, or not chosen, or it holds.
 */
export async function verifyPhase(context: PhaseContext): Promise<'again' | 'over'> {
  const { run, held, at } = context;
  const { place } = run;
  await held.confirm();
  const gates = await checkWork(context);
  if (gates === 'interrupted') return 'again';
  if ('findings' in gates) return again(context, 'fix', gates.findings);
  const allowed = await checkAutonomy(context);
  if (allowed.kind === 'waiting') return 'over';
  if (allowed.kind === 'rejected') return again(context, 'fix', allowed.findings);
  const wanted = await checkReview(context);
  if (held.signal.aborted) return 'again';
  if (wanted !== undefined) return again(context, 'review', wanted);
  if (requiresManualTesting(at.front)) {
    const tried = (await testingGate(place, at, waitFor(context))) as TestingResult;
    if (!tried.passed) return again(context, 'refine', JSON.stringify(tried, null, 2));
  }
  if (at.variants.length > 0 && !(await isChosen(context))) return 'over';
  const merging = await merge(context);
  if (merging.kind === 'conflict') return again(context, 'merge', merging.findings);
  if (merging.kind !== 'merged') return merging.kind;
  await recordSkipped(context);
  const { archived = [] } = await closePhase(place, at, gates.runs, held.task.fence);
  for (const { branch, problem } of archived) {
    if (problem) run.tell(at, `could not discard ${branch}: ${problem}`);
  }
  run.tell(at, `done: merged into ${run.featureBranch}`);
  return 'over';
}

interface TestingResult {
  passed: boolean;
}

/** While a person is waited for, the task takes nobody's place. */
function waitFor({ run, held, at }: PhaseContext): GateWait {
  return {
    timeoutMs: undefined,
    state: 'committed',
    signal: held.signal,
    person: run.person,
    schemas: run.schemas,
    tell: (sentence) => run.tell(at, sentence),
    onWait: held.onHold,
  };
}

/** Whether this variant is the one to be merged. What becomes of the others is seen to when this one is closed. */
async function isChosen(context: PhaseContext): Promise<boolean> {
  const { run, at, held } = context;
  const { place, gateTimeoutMs } = run;
  held.onHold(true);
  await untilAllVariantsAreReady(place, at, held.signal);
  // The run ends before it can be compared: the next one comes here again.
  if (held.signal.aborted) return false;
  held.onHold(false);
  const { variant_solution } = await variantsGate(place, at.number, at.variant, {
    ...waitFor(context),
    gateTimeoutMs,
  });
  run.tell(at, `variant ${at.variant} is ${variant_solution}`);
  return variant_solution === 'main';
}

/** `over` and `again`: what is merged changed after the first look, and has to be looked at again. */
type Merging = { kind: 'merged' | 'over' | 'again' } | { kind: 'conflict'; findings: string };

const toCheckAgain = new Set(['now_rejected', 'changed_after_test', 'changed_after_choice']);

async function merge(context: PhaseContext): Promise<Merging> {
  const { run, worktree } = context;
  try {
    // The agent's work was committed before its gates: what is new since is theirs, such as a report.
    await mergeWorktree(run.place.git, worktree, {
      untracked: 'leave',
      allow: (tip) => stillAllowed(context, tip),
    });
    return { kind: 'merged' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.type === 'now_waiting') return { kind: 'over' };
    if (toCheckAgain.has(error.type)) return { kind: 'again' };
    if (error.type !== 'merge_conflict') throw error;
    const findings = `${error.message}\n\n${JSON.stringify(error.details, null, 2)}`;
    return { kind: 'conflict', findings };
  }
}

/** People may have been waited for since the first look, and the branch have moved. */
async function stillAllowed(context: PhaseContext, tip: string): Promise<By | undefined> {
  const allowed = await checkAutonomy(context, tip);
  if (allowed.kind === 'proceed') return allowed.approvedBy;
  const { branch } = context.worktree;
  throw new Refusal(`now_${allowed.kind}`, `${branch} changed after it was checked.`);
}

async function again(context: PhaseContext, purpose: Purpose, findings: string): Promise<'again' | 'over'> {
  const { ledger, projectId } = context.run.place;
  const runs = await runsSinceFailure(ledger, projectId, context.held.task.id);
  const before = runs.filter(({ data }) => data.purpose === purpose);
  if (purpose !== 'refine' && before.length >= MOST_ROUNDS) {
    throw new Refusal(
      'still_failing',
      `Still not done after ${before.length} attempts to ${purpose} it: ${findings}`,
    );
  }
  const { run } = await sendAgent(context, { purpose, findings }, await aboutMerge(context, purpose));
  return run.status === 'ended' ? 'again' : 'over';
}

/** What the agent merges is written down before it could move the branch. */
async function aboutMerge({ run, worktree }: PhaseContext, purpose: Purpose): Promise<{ merges?: string }> {
  const merges =
    purpose === 'merge' ? await branchTip(run.place.git.commonDir, worktree.featureBranch) : undefined;
  return merges === undefined ? {} : { merges };
}
