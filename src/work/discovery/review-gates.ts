import { createHash } from 'node:crypto';
import type { ApproachVerdict } from '../../ledger/phases/approach-log.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import type { Approach } from '../../schema/approach.ts';
import type { Notification } from '../../schema/notification.ts';
import { blockGate, type GatePlace, type GateWait } from '../gates/block-gate.ts';
import { approachId, approvalQuestions } from '../gates/gate-questions.ts';
import { answerTo } from '../gates/gate-result.ts';
import { textMaterial, verbatimMaterial } from '../gates/material.ts';
import { planKey } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { approvePlan } from '../plans/approved-plan.ts';
import { bindingPart } from '../plans/binding-part.ts';

/** A person reviews all approaches of a feature before they become a plan. */
export async function findingsGate(place: GatePlace, scope: string, wait: GateWait): Promise<object> {
  const { ledger, projectId } = place;
  const active = (await ledger.approaches.list(projectId, scope)).filter(({ state }) => state === 'active');
  if (active.length === 0) return { skipped: true, reason: 'No findings to review' };
  const sourceId = `${planKey(scope)}/findings`;
  const round = await nextRound(place, sourceId, active);
  const settled = await blockGate(
    place,
    {
      gate: { kind: 'findings', plan: planKey(scope), round },
      sourceId,
      questions: approvalQuestions('findings', scope, active),
      material: async () =>
        active.map((each) =>
          textMaterial(
            approachId(each),
            `${each.description}\n\n${each.context}\n\nFiles: ${each.files.join(', ')}`,
          ),
        ),
    },
    wait,
  );
  const verdicts = verdictsIn(settled);
  const after = await ledger.approaches.review(projectId, scope, verdicts);
  return findingsResult(settled, verdicts, after);
}

/** Each review is a new round; if nothing was written since, it is the same round. */
async function nextRound(
  { ledger, projectId }: GatePlace,
  sourceId: string,
  active: Approach[],
): Promise<number> {
  const gates = await ledger.notifications.asked(projectId, 'gate', sourceId);
  const last = gates.at(-1);
  if (!last?.gate) return 1;
  const isNewer = active.some(
    ({ updatedAt }) => last.resolvedAt !== undefined && updatedAt > last.resolvedAt,
  );
  const isDelivered = last.status === 'delivered';
  return isDelivered && isNewer ? last.gate.round + 1 : last.gate.round;
}

/** Uses the ids that the questions had, because an approach may have lost its letter since. */
function verdictsIn(settled: Notification): ApproachVerdict[] {
  return settled.questions.flatMap(({ id }) => {
    const [, agent, number, variant] = /^(.+)_(\d+)(?:_([A-Z]))?$/.exec(id) ?? [];
    if (agent === undefined) return [];
    const said = answerTo(settled, id);
    const rejected = said.toLowerCase() === 'reject';
    const changes = rejected || said === '' ? null : said;
    return [{ agent, number: Number(number), variant: variant ?? null, rejected, changes }];
  });
}

function findingsResult(settled: Notification, verdicts: ApproachVerdict[], after: Approach[]): object {
  const affected = after.filter(
    ({ pendingRefinement, state }) => pendingRefinement !== null && state === 'active',
  );
  const changes = answerTo(settled, 'changes');
  const hasChanges = answerTo(settled, 'approved') !== 'approved' || changes !== '' || affected.length > 0;
  const named = ({ agent, number, variant }: Pick<Approach, 'agent' | 'number' | 'variant'>) => ({
    specialist_name: agent,
    approach_id: `${number}${variant ? `_${variant}` : ''}`,
  });
  return {
    approved: !hasChanges,
    has_user_required_changes: hasChanges,
    thoughts: answerTo(settled, 'thoughts'),
    ...(changes ? { user_required_changes: changes } : {}),
    affected_approaches: affected.map(named),
    rejected_approaches: verdicts.filter(({ rejected }) => rejected).map(named),
  };
}

/** A person reviews the plan before work begins; then the approaches are archived. */
export async function planGate(planContext: PlanContext, scope: string, wait: GateWait): Promise<object> {
  const { ledger, projectId, written: plan, name } = planContext;
  const terms = bindingPart(plan);
  const sourceId = `${planKey(name)}/plan`;
  const phases = plan.phases.map(({ id, title, dependsOn }) => {
    const after = dependsOn.map((each) => each.id ?? each.text).join(', ');
    return `- ${id}: ${title}${after ? ` (after ${after})` : ''}`;
  });
  const files = [...plan.files.values()].flatMap((file) =>
    'text' in file ? [textMaterial(file.path, file.text, `Full text: ${file.path}`)] : [],
  );
  const settled = await blockGate(
    planContext,
    {
      gate: { kind: 'plan', plan: name, round: roundOfPlan(plan, terms) },
      sourceId,
      questions: approvalQuestions('plan', `the plan ${plan.title || name}`, []),
      material: async () => [
        textMaterial('Phases', phases.join('\n')),
        verbatimMaterial('What you approve', terms),
        ...files,
      ],
    },
    wait,
  );
  const changes = answerTo(settled, 'changes');
  const approved = answerTo(settled, 'approved') === 'approved' && changes === '';
  const person = settled.responses.find(({ questionId }) => questionId === 'approved')?.by;
  if (approved && person) await approvePlan(planContext, person);
  return {
    approved,
    has_user_required_changes: !approved,
    thoughts: answerTo(settled, 'thoughts'),
    ...(changes ? { user_required_plan_changes: changes } : {}),
    archived_findings: approved ? await ledger.approaches.archive(projectId, scope) : [],
  };
}

/**
 * A number that identifies what is to be done: changing that needs a new approval, but ticking a box does not. It has
 * enough digits that nobody can construct another plan with the number of an approved one.
 */
function roundOfPlan({ title, phases }: Plan, terms: string): number {
  const content = phases.map(({ id, title: name, file }) => [
    id,
    name,
    file?.tasks.map(({ text }) => text),
    file?.criteria.map(({ text }) => text),
  ]);
  return Number.parseInt(
    createHash('sha256')
      .update(JSON.stringify([title, content, terms]))
      .digest('hex')
      .slice(0, 13),
    16,
  );
}
