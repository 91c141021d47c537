import { quoted } from '../../agents/shell-words.ts';
import { fingerprintOf } from '../phases/fingerprint.ts';
import { type PhaseAtWork, phasesAtWork } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { showStatus } from '../phases/show-status.ts';
import { tasksOfPlan } from '../phases/tasks.ts';
import { Refusal } from '../refusal.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';

/**
 * A phase that is done in the ledger but not in its file: either we died before we could show it, or somebody put another
 * plan into the folder of a finished one, which must not pass for done.
 */
export async function refuseReplacedPlan(place: PlanPlace): Promise<void> {
  const tasks = await tasksOfPlan(place);
  for (const at of phasesAtWork(place.plan, place.name)) {
    if (tasks.get(at.taskId)?.status !== 'closed' || at.phase.status === 'completed') continue;
    if (await isAnother(place, at)) throw replaced(place, at);
    await showStatus(place, at);
  }
}

/** What was merged into one branch is not in another. */
export async function refuseOtherFeature(place: PlanPlace, featureBranch: string): Promise<void> {
  const plan = planOnRecord(place.checkouts.feature, place.folder);
  const merged = (await place.ledger.worktrees.list(place.projectId)).find(
    (each) => each.plan === plan && each.state === 'merged' && each.featureBranch !== featureBranch,
  );
  if (!merged) return;
  throw new Refusal(
    'other_feature',
    `Phase ${merged.phase} of ${place.name} was merged into ${merged.featureBranch}, not into ${featureBranch}.`,
    {
      suggestion: `Go on with: fermata run --feature ${quoted(merged.featureBranch)} ${quoted(place.folder)}`,
      code: 'invalid',
    },
  );
}

async function isAnother(place: PlanPlace, at: PhaseAtWork): Promise<boolean> {
  const { ledger, projectId } = place;
  const started = (await ledger.phases.list(projectId, at.taskId)).findLast(({ kind }) => kind === 'started');
  return started?.data.fingerprint !== undefined && started.data.fingerprint !== fingerprintOf(place, at);
}

function replaced({ name, folder }: PlanPlace, { number, phase }: PhaseAtWork): Refusal {
  return new Refusal(
    'replaced_plan',
    `Phase ${number} of ${name} is done, but ${folder} has another phase ${number} now: ${phase.title}.`,
    { suggestion: 'Give the new plan a folder with a name of its own, and run that.', code: 'invalid' },
  );
}
