import { isTrunk } from '../../git/refs.ts';
import { idKey } from '../../plan/grammar/phase-id.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { findHere } from './here.ts';
import { planOnRecord } from './plan-on-record.ts';
import type { WorktreeContext } from './worktree-context.ts';

export interface PhaseOfFeature {
  phase: string;
  variant: string | null;
  /** The absolute path of the plan's folder; otherwise the plan of the worktree that the caller is in. */
  plan?: string;
}

/** The recorded worktree of a phase, from any checkout of the feature. */
export async function findWorktree(
  worktreeContext: WorktreeContext,
  wanted: PhaseOfFeature,
): Promise<Worktree> {
  const { feature, record } = await requireFeature(worktreeContext);
  const all = ofFeature(await ledgerOf(worktreeContext), feature);
  const plan = wanted.plan === undefined ? record?.plan : planOnRecord(worktreeContext.top, wanted.plan);
  const mine = all.filter((worktree) => isWanted(worktree, wanted, plan ?? undefined));
  const [found, another] = mine;
  if (found && !another) return found;
  const name = `phase ${wanted.phase}${wanted.variant ? `, variant ${wanted.variant.toUpperCase()},` : ''}`;
  if (!found) {
    throw new Refusal('not_found', `No worktree found for ${name} of ${feature}.`, {
      suggestion:
        all.length > 0
          ? `Worktrees found: ${all.map(({ branch }) => branch).join(', ')}.`
          : 'Start the phase first ("plan start-prompt").',
      code: 'not_found',
    });
  }
  throw new Refusal(
    'ambiguous',
    `Several worktrees found for ${name} of ${feature}: ${mine.map(describe).join(', ')}.`,
    {
      suggestion: 'Specify the plan with --plan.',
    },
  );
}

/** On the trunk it may belong to any feature, because a run creates its own branch there. */
function ofFeature(worktrees: Worktree[], feature: string): Worktree[] {
  const own = worktrees.filter(({ featureBranch }) => featureBranch === feature);
  return own.length === 0 && isTrunk(feature) ? worktrees : own;
}

async function requireFeature(
  worktreeContext: WorktreeContext,
): Promise<{ feature: string; record: Worktree | undefined }> {
  const { featureBranch, record } = await findHere(worktreeContext);
  if (featureBranch !== undefined) return { feature: featureBranch, record };
  throw new Refusal(
    'no_feature_branch',
    `HEAD is detached in ${worktreeContext.top}, so Fermata cannot tell which feature you mean.`,
    {
      suggestion: 'Switch to the feature branch, or run this in one of its worktrees.',
    },
  );
}

async function ledgerOf({ ledger, projectId }: WorktreeContext): Promise<Worktree[]> {
  return (await ledger.worktrees.list(projectId)).filter(({ state }) => state !== 'archived');
}

/** `plan`: as records name it; undefined for any plan. */
function isWanted(worktree: Worktree, { phase, variant }: PhaseOfFeature, plan: string | undefined): boolean {
  const samePlan = plan === undefined || worktree.plan === plan;
  const samePhase = worktree.phase !== null && idKey(worktree.phase) === idKey(phase);
  return samePlan && samePhase && worktree.variant === (variant?.toUpperCase() ?? null);
}

const describe = ({ branch, plan }: Worktree) => `${branch} (${plan ?? 'no plan'})`;
