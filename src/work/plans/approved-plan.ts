import type { Ledger } from '../../ledger/ledger.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import type { Plan } from '../../plan/grammar/plan.ts';
import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { lineDiff } from '../../schema/line-diff.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { TrustedContent } from '../../schema/trusted-content.ts';
import { type PhaseTask, phaseTasks, tasksWithin } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { asApproved } from './as-approved.ts';
import { bindingPart } from './binding-part.ts';

/** The name of a plan in the trust register. */
export const planEntry = (name: string) => `plan:${name}`;

/** The plan with the terms that a person approved, or as written in its files if nobody has approved it yet. */
export async function approvedPlan(
  ledger: Ledger,
  projectId: string,
  name: string,
  written: Plan,
): Promise<Plan> {
  const approved = await ledger.trust.find(projectId, planEntry(name));
  return approved ? asApproved(written, approved.content) : written;
}

/** The phase of a task, as approved; undefined if no approved plan has it. */
export async function phaseOnRecord(
  ledger: Ledger,
  projectId: string,
  taskId: string,
): Promise<{ name: string; at: PhaseTask } | undefined> {
  for (const { name: entry, content } of await ledger.trust.list(projectId)) {
    const name = entry.slice(planEntry('').length);
    if (entry !== planEntry(name) || !taskId.startsWith(tasksWithin(name))) continue;
    const at = phaseTasks(asApproved(parsePlan([]), content), name).find((each) => each.taskId === taskId);
    if (at) return { name, at };
  }
  return undefined;
}

type Approvable = Pick<PlanContext, 'ledger' | 'projectId' | 'name' | 'written'>;

/** Records the plan in its files as approved by this person. */
export function approvePlan({ ledger, projectId, name, written }: Approvable, by: By): Promise<void> {
  return ledger.trust.accept(projectId, [{ name: planEntry(name), content: bindingPart(written) }], by);
}

/** A person who begins to work on a plan approves it as it is; if it changed since, it needs another approval. */
export async function requireApprovedPlan(span: Approvable & { by: By }): Promise<void> {
  const { ledger, projectId, name, written, by } = span;
  const approved = await ledger.trust.find(projectId, planEntry(name));
  if (!approved && by.actor.kind === 'person') return approvePlan(span, by);
  if (approved && approved.content !== bindingPart(written)) throw changed(name, approved, written);
}

function changed(name: string, approved: TrustedContent, written: Plan): Refusal {
  const diff = lineDiff(approved.content, bindingPart(written)).join('\n');
  return new Refusal(
    'plan_changed',
    `The plan ${name} has changed since ${approved.by.actor.name} approved it on ${approved.at.slice(0, 10)}:\n${diff}`,
    { suggestion: `Review the change and approve it: ${cmd`trust`}`, data: { plan: name, diff } },
  );
}
