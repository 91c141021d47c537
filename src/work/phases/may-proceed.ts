import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { WorktreeState } from '../../schema/worktree.ts';
import { solutionOf } from '../gates/gate-result.ts';
import { answeredGates, isOutdated, missingGates, roundOf, VARIANTS_ROUND } from '../gates/human-gates.ts';
import { reviewMissing } from '../review/review-missing.ts';
import { requiresManualTesting } from './front-matter.ts';
import { type PhaseTask, phaseWords } from './phase-task.ts';

/** What somebody wants to do with a phase, or with one variant of it. */
export type PhaseAction = 'merge' | 'complete' | 'close';

/** Everything that decides whether it may be done. */
export interface PhaseStanding {
  /** By the plan as a person approved it. */
  at: PhaseTask;
  records: PhaseRecord[];
  /** What people were asked in it. */
  gates: Notification[];
  /** Where it was worked on; undefined if it has no worktree. `content`: a hash of what is still to be merged. */
  worktree: { branch: string; state: WorktreeState; isMerged: boolean; content?: string } | undefined;
  /** The branch of another variant that was merged. */
  mergedVariant: string | undefined;
  /** When a run last sent out its agent; undefined if no run did, or if its protocol wants no review. */
  reviewSince: string | undefined;
}

export type Permit =
  | { kind: 'allowed' }
  | { kind: 'refused'; type: string; reason: string; nextStep: string; data?: object };

/**
 * Whether a phase or variant may be merged, completed or closed. Every command, route and run asks this and nothing
 * else. `complete` runs the gate commands afterwards; `close` needs that they passed.
 */
export function mayProceed(action: PhaseAction, standing: PhaseStanding): Permit {
  return (
    refuseNotMain(standing) ??
    refuseMissingGates(standing) ??
    refuseChanged(standing) ??
    (action === 'merge' ? refuseUnreviewed(standing) : undefined) ??
    (action === 'complete' ? undefined : refuseFailedGates(action, standing)) ??
    (action === 'merge' ? undefined : refuseUnmerged(standing)) ?? { kind: 'allowed' }
  );
}

function refuseNotMain({ at, gates, worktree, mergedVariant }: PhaseStanding): Permit | undefined {
  const decided = solutionOf(gates, at);
  const solution = decided ?? (worktree?.state === 'alternative' ? 'alternative' : undefined);
  const name = `Variant ${at.variant} of phase ${at.number}`;
  if (solution !== undefined && solution !== 'main') {
    const became = solution === 'discard' ? 'was discarded' : 'is an alternative';
    const kept = 'To reuse parts of it, run "git cherry-pick".';
    return refused('not_main', `${name} ${became}. Only the main variant can be merged and completed.`, kept);
  }
  if (mergedVariant === undefined) return undefined;
  const reason = `${mergedVariant} is already merged, and a phase can merge only one variant.`;
  return refused('other_variant_merged', reason, 'Keep this variant as an alternative, or discard it.');
}

/** Undecided, untested, or a person still has to answer. */
function refuseMissingGates({ at, records, gates }: PhaseStanding): Permit | undefined {
  const missing = missingGates(at, records, gates);
  if (missing.length === 0) return undefined;
  const open = gates.find(({ status }) => status === 'open');
  const ask = `Open the gate for a person to answer: ${cmd`plan block-…-gate ${phaseWords(at)}`}`;
  const nextStep = open ? `A person must answer: ${cmd`answer ${open.id}`}` : ask;
  return refused('human_gates_open', missing.join(' '), nextStep, { missing });
}

/** Only what a person tested and chose is merged. */
function refuseChanged({ at, records, gates, worktree }: PhaseStanding): Permit | undefined {
  const test = answeredGates(gates, 'testing', roundOf(records)).at(-1);
  const choice = answeredGates(gates, 'variants', VARIANTS_ROUND).at(-1);
  if (requiresManualTesting(at.front) && isOutdated(test, at, worktree?.content)) {
    const reason = `Phase ${phaseText(at)} was changed after a person tested it.`;
    const ask = `Have it tested again: ${cmd`plan block-prompt-testing-gate ${phaseWords(at)}`}`;
    return refused('changed_after_test', reason, ask);
  }
  if (!isOutdated(choice, at, worktree?.content)) return undefined;
  const reason = `Variant ${at.variant} of phase ${at.number} was changed after a person chose it.`;
  const ask = `Have it chosen again: ${cmd`plan block-prompt-variants-gate ${phaseWords(at)}`}`;
  return refused('changed_after_choice', reason, ask);
}

/** What the agent of a run did is reviewed, or a person merges it without that. A later iteration ends such a waiver. */
function refuseUnreviewed({ at, records, reviewSince, worktree }: PhaseStanding): Permit | undefined {
  const missing =
    reviewSince === undefined ? undefined : reviewMissing(records, reviewSince, worktree?.content);
  const last = records.findLast(({ kind }) => kind === 'waived' || kind === 'implementation');
  if (missing === undefined || last?.kind === 'waived') return undefined;
  const reason = `Phase ${phaseText(at)} needs a review. ${missing}`;
  const skip = `To merge it without one: ${cmd`run --resume --no-review`}`;
  return refused('not_reviewed', reason, `Review it: ${cmd`review ${phaseWords(at)}`}. ${skip}`);
}

/** A later iteration invalidates older gate results. */
function refuseFailedGates(action: PhaseAction, { at, records }: PhaseStanding): Permit | undefined {
  const commands = at.phase.file?.gates ?? [];
  const last = records.findLast((each) => each.kind === 'gates' || each.kind === 'implementation');
  const runs = last?.kind === 'gates' ? last.data.runs : undefined;
  const failed = runs?.filter(({ passed }) => !passed).map(({ name }) => name) ?? [];
  const complete = cmd`plan complete-prompt ${phaseWords(at)}`;
  if (failed.length > 0) {
    const reason = `Gate commands of phase ${phaseText(at)} failed: ${failed.join(', ')}.`;
    const fix = 'Fix the failures and record the next iteration ("plan record-implementation").';
    return refused('gates_failed', reason, fix);
  }
  if (action === 'merge' || runs !== undefined || commands.length === 0) return undefined;
  const reason = `The gate commands of phase ${phaseText(at)} have not passed yet.`;
  return refused('gates_not_run', reason, `Complete it: ${complete}`);
}

function refuseUnmerged({ at, worktree }: PhaseStanding): Permit | undefined {
  if (!worktree || worktree.isMerged) return undefined;
  const reason = `${worktree.branch} is not merged, so phase ${phaseText(at)} is not complete.`;
  return refused('not_merged', reason, `Merge it: ${cmd`git merge-worktree ${phaseWords(at)}`}`);
}

function refused(type: string, reason: string, nextStep: string, data?: object): Permit {
  return { kind: 'refused', type, reason, nextStep, ...(data ? { data } : {}) };
}

const phaseText = (at: PhaseTask) => phaseWords(at).join(' ');
