import { decisionCursor } from '../../ledger/decisions/decision-log.ts';
import { allRows } from '../../ledger/engine/stored.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { writtenAssumptions } from '../../plan/from-issues/complete-master.ts';
import type { Decision } from '../../schema/decision.ts';
import { type PhaseTask, phaseWords, planTaskId, tasksWithin } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { boundDecided } from './bound-decided.ts';
import type { Decided } from './decided.ts';
import { decidedText } from './decided-text.ts';
import { selectDecided } from './select-decided.ts';

/** Everything that was decided about a phase, from the ledger and the plan. */
export async function readDecided(planContext: PlanContext, { phase, taskId }: PhaseTask): Promise<Decided> {
  const { ledger, projectId, name, plan } = planContext;
  const current = await currentDecisions(ledger, projectId);
  const id = planTaskId('plan_from_issues', name);
  const origin = await ledger.tasks.resultOf(projectId, id, 'plan_from_issues');
  const about = { taskId, within: tasksWithin(name), issues: phase.issues };
  return selectDecided(about, current, origin, writtenAssumptions(plan, origin));
}

/** The same for a task without a plan, including the feedback it came from. */
export async function decidedAboutTask(ledger: Ledger, projectId: string, taskId: string): Promise<string> {
  const feedback = (await ledger.tasks.ofKind(projectId, 'feedback')).find(({ result }) =>
    result?.tasks?.includes(taskId),
  )?.id;
  const about = { taskId, issues: [], ...(feedback === undefined ? {} : { feedback }) };
  const decided = selectDecided(about, await currentDecisions(ledger, projectId), undefined, []);
  return decidedText(boundDecided(decided), 'fermata decisions list', 'task');
}

const currentDecisions = (ledger: Ledger, projectId: string) =>
  allRows<Decision>((limit, last) =>
    ledger.decisions.current(projectId, limit, last && decisionCursor(last)),
  );

/** The same as a part of the prompt of any agent that works on the phase. */
export async function decidedPart(planContext: PlanContext, at: PhaseTask): Promise<string> {
  return decidedText(boundDecided(await readDecided(planContext, at)), decidedCommand(at));
}

/** The command that shows all of it; it also works for an agent in its worktree. */
export function decidedCommand(at: Pick<PhaseTask, 'number' | 'variant'>): string {
  return ['fermata plan read-decisions', ...phaseWords(at)].join(' ');
}
