import type { GateWait } from '../gates/block-gate.ts';
import { roundOf } from '../gates/human-gates.ts';
import { testingGate } from '../gates/phase-gates.ts';
import { variantsGate } from '../gates/variants-gate.ts';
import { commitAll } from '../git/commit-all.ts';
import { closePhase, runPhaseGates } from '../phases/complete.ts';
import { isDebug, requiresManualTesting } from '../phases/front-matter.ts';
import { groupOf } from '../phases/phase-at-work.ts';
import { recordImplementation } from '../phases/record.ts';
import type { GateRun } from '../phases/run-gates.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { Refusal } from '../refusal.ts';
import { decideVariants, type VariantDecision } from '../worktrees/decide-variants.ts';
import { mergeWorktree } from '../worktrees/merge-worktree.ts';
import { checkAutonomy } from './check-autonomy.ts';
import type { Purpose } from './next-move.ts';
import { runsSinceFailure } from './past-runs.ts';
import { type Outing, sendAgent } from './send-agent.ts';
import { untilAllVariantsAreReady } from './variants-ready.ts';

/** How often an agent is sent out again for the same kind of finding. */
const MOST_ROUNDS = 3;

/**
 * An agent says that it is done: we look for ourselves. `again`: it was sent out with what was found. `over`: merged and
 * closed, or not chosen, or it holds.
 */
export async function verifyPhase(outing: Outing): Promise<'again' | 'over'> {
  const { run, held, at, worktree } = outing;
  const { place } = run;
  await commitAll(worktree.path, `Phase ${at.number}: ${at.phase.title}`);
  await recordWork(outing);
  const gates = await checkGates(outing);
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
  await closePhase(place, at, gates.runs, held.task.fence);
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
    walkthrough: String(last?.end?.text ?? 'Nothing was said about it.').slice(0, 50_000),
    iteration,
    reason:
      iteration === 1 ? undefined : `${purpose === 'refine' ? 'Testing' : 'Review'} feedback: ${purpose}`,
  });
}

async function checkGates({ run, held, at }: Outing): Promise<{ runs: GateRun[] } | { findings: string }> {
  const options = {
    timeoutMs: run.gateTimeoutMs,
    signal: held.signal,
    tell: (sentence: string) => run.tell(at, sentence),
  };
  try {
    return { runs: await runPhaseGates(run.place, at, options) };
  } catch (error) {
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

/**
 * Whether this variant is the one to be merged. It then sees to the others, which are kept or archived as the person
 * decided; one does that, so that no two meet in the same folder.
 */
async function isChosen(outing: Outing): Promise<boolean> {
  const { run, at, held } = outing;
  const { place, gateTimeoutMs } = run;
  held.onHold(true);
  await untilAllVariantsAreReady(place, at, held.signal);
  held.onHold(false);
  const wait = { ...waitFor(outing), gateTimeoutMs };
  const result = (await variantsGate(place, at.number, at.variant, wait)) as {
    variant_solution?: VariantDecision;
    decisions: Record<string, VariantDecision>;
  };
  run.tell(at, `variant ${at.variant} is ${result.variant_solution}`);
  if (result.variant_solution !== 'main') return false;
  const group = groupOf(place.plan, place.name, at.number);
  const worktrees = await Promise.all(group.map((each) => worktreeOf(place, each)));
  const there = worktrees.filter((each) => each !== undefined);
  await decideVariants(place.git, there, result.decisions, { debug: isDebug(at.front) });
  return true;
}

/** Undefined where it is merged; else what an agent has to resolve. */
async function merge({ run, worktree }: Outing): Promise<string | undefined> {
  try {
    await mergeWorktree(run.place.git, worktree);
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
  const { run } = await sendAgent(outing, purpose, findings);
  return run.status === 'ended' ? 'again' : 'over';
}
