import { readPlan } from '../../plan/grammar/read-plan.ts';
import { DONE } from '../../plan/progress/read-progress.ts';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import { tellNextSteps } from '../next-steps.ts';
import { tell } from '../output.ts';

/** What to do with the plan in this folder. If an agent called it done, there is nothing to run. */
export function tellNext(folder: string, said: Partial<SaidAgent> = {}): void {
  const { phases } = readPlan(folder).plan;
  if (phases.every(({ status }) => status === 'completed')) tell(`${DONE}: every phase is completed.`);
  else tellNextSteps(folder, said);
}
