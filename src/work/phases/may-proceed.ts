import { isApproved } from '../../schema/approval.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import type { RefusalType } from '../../schema/refusal.ts';
import type { WorktreeState } from '../../schema/worktree.ts';
import { solutionOf } from '../gates/gate-result.ts';
import { answeredGates, isOutdated, missingGates, roundOf, VARIANTS_ROUND } from '../gates/human-gates.ts';
import { reviewMissing } from '../review/review-missing.ts';
import { requiresManualTesting } from './front-matter.ts';
import { type PhaseTask, phaseWords } from './phase-task.ts';

/** What to do with a phase, or with one variant of it. */
export type PhaseAction = 'merge' | 'complete' | 'close';

interface WorkStanding {
  records: PhaseRecord[];
  /** Its worktree; undefined if it has none. `content`: a hash of what is still to be merged. */
  worktree: { branch: string; state: WorktreeState; isMerged: boolean; content?: string } | undefined;
  /** When a run last started its agent; undefined if no run did, or if its protocol requires no review. */
  reviewSince: string | undefined;
}

/** Everything that decides whether the action is allowed for a phase. */
export interface PhaseStanding extends WorkStanding {
  /** From the plan as a person approved it. */
  at: PhaseTask;
  gates: Notification[];
  /** The branch of another variant that was merged. */
  mergedVariant: string | undefined;
}

/** The same for a task without a plan. */
export interface TaskStanding extends WorkStanding {
  taskId: string;
  /** Whether a person has to approve the work before the merge, because nobody approved a plan for it. */
  needsApproval: boolean;
  /** People's answers to the question whether to merge it. */
  approvals: Notification[];
}

export type Permit =
  | { kind: 'allowed' }
  | { kind: 'refused'; type: RefusalType; reason: string; nextStep: string; data?: object };

/**
 * Whether a phase, a variant or a task without a plan may be merged, completed or closed. Every command, route and run
 * uses only this check. `complete` runs the gate commands afterwards; `close` requires that they passed.
 */
export function mayProceed(action: PhaseAction, standing: PhaseStanding | TaskStanding): Permit {
  const subject = 'at' in standing ? phaseSubject(standing.at) : taskSubject(standing.taskId);
  return (
    ('at' in standing ? refuseUndecided(standing) : refuseUnapproved(action, standing)) ??
    (action === 'merge' ? refuseUnreviewed(subject, standing) : undefined) ??
    (action === 'complete' ? undefined : refuseFailedGates(action, subject, standing)) ??
    (action === 'merge' ? undefined : refuseUnmerged(subject, standing)) ?? { kind: 'allowed' }
  );
}

/** What is refused, and the commands that help. */
interface Subject {
  /** `phase 2 A`, `task t3`. */
  name: string;
  hasGates: boolean;
  review: string;
  withoutReview: string;
  fix: string;
  complete: string;
  merge: string;
}

function phaseSubject(at: PhaseTask): Subject {
  return {
    name: `phase ${phaseText(at)}`,
    hasGates: (at.phase.file?.gates ?? []).length > 0,
    review: `Review it: ${cmd`review ${phaseWords(at)}`}.`,
    withoutReview: cmd`run --resume --no-review`,
    fix: 'Fix the failures and record the next iteration ("plan record-implementation").',
    complete: `Complete it: ${cmd`plan complete-prompt ${phaseWords(at)}`}`,
    merge: `Merge it: ${cmd`git merge-worktree ${phaseWords(at)}`}`,
  };
}

function taskSubject(taskId: string): Subject {
  const work = `Continue with: ${cmd`tasks work ${taskId}`}`;
  return {
    name: `task ${taskId}`,
    hasGates: false,
    review: `${work}.`,
    withoutReview: cmd`tasks work ${taskId} --no-review`,
    fix: work,
    complete: work,
    merge: work,
  };
}

const refuseUndecided = (standing: PhaseStanding) =>
  refuseNotMain(standing) ?? refuseMissingGates(standing) ?? refuseChanged(standing);

/** A person approves exactly what is merged. */
function refuseUnapproved(
  action: PhaseAction,
  { taskId, needsApproval, approvals, worktree }: TaskStanding,
): Permit | undefined {
  if (action !== 'merge' || !needsApproval) return undefined;
  const id = worktree?.content === undefined ? undefined : workQuestionId(worktree.content);
  const isApprovedWork = ({ questions: [question], responses: [response] }: Notification) =>
    question?.id === id && isApproved(response);
  if (id !== undefined && approvals.some(isApprovedWork)) return undefined;
  const reason = `Nobody has approved the work on task ${taskId} as it is now.`;
  return refused('not_approved', reason, `Have it approved: ${cmd`tasks work ${taskId}`}`);
}

/** The id of the question whether to merge work with this content. */
export const workQuestionId = (content: string) => `work-${content}`;

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

/** The work of a run's agent is reviewed, unless a person waives that. A later iteration ends the waiver. */
function refuseUnreviewed(
  { name, review, withoutReview }: Subject,
  { records, reviewSince, worktree }: WorkStanding,
): Permit | undefined {
  const missing =
    reviewSince === undefined ? undefined : reviewMissing(records, reviewSince, worktree?.content);
  const last = records.findLast(({ kind }) => kind === 'waived' || kind === 'implementation');
  if (missing === undefined || last?.kind === 'waived') return undefined;
  const reason = `${capitalized(name)} needs a review. ${missing}`;
  return refused('not_reviewed', reason, `${review} To merge it without one: ${withoutReview}`);
}

/** A later iteration invalidates older gate results. */
function refuseFailedGates(
  action: PhaseAction,
  { name, hasGates, fix, complete }: Subject,
  { records }: WorkStanding,
): Permit | undefined {
  const last = records.findLast((each) => each.kind === 'gates' || each.kind === 'implementation');
  const runs = last?.kind === 'gates' ? last.data.runs : undefined;
  const failed = runs?.filter(({ passed }) => !passed).map(({ name: gate }) => gate) ?? [];
  if (failed.length > 0)
    return refused('gates_failed', `Gate commands of ${name} failed: ${failed.join(', ')}.`, fix);
  if (action === 'merge' || runs !== undefined || !hasGates) return undefined;
  return refused('gates_not_run', `The gate commands of ${name} have not passed yet.`, complete);
}

function refuseUnmerged({ name, merge }: Subject, { worktree }: WorkStanding): Permit | undefined {
  if (!worktree || worktree.isMerged) return undefined;
  return refused('not_merged', `${worktree.branch} is not merged, so ${name} is not complete.`, merge);
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function refused(type: RefusalType, reason: string, nextStep: string, data?: object): Permit {
  return { kind: 'refused', type, reason, nextStep, ...(data ? { data } : {}) };
}

const phaseText = (at: PhaseTask) => phaseWords(at).join(' ');
