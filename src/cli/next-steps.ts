import { shownPath } from '../files/real-path.ts';
import { cmd } from '../schema/command-line.ts';
import type { SaidAgent } from '../work/agent/choose-agent.ts';
import { tell } from './output.ts';

/** What to do with a plan that was just written. If the person named an agent, it is named again. */
export function tellNextSteps(folder: string, said: Partial<SaidAgent> = {}): void {
  const plan = shownPath(folder);
  tell(`Look at it with: ${cmd`plan show ${plan}`}`);
  tell(`Run it with: ${cmd`run ${[plan, ...agentAgain(said)]}`}`);
}

function agentAgain({ agent, agentGiven, agentCommand }: Partial<SaidAgent>): string[] {
  if (!agentGiven || agent === undefined) return [];
  return ['--agent', agent, ...(agentCommand === undefined ? [] : ['--agent-command', agentCommand])];
}
