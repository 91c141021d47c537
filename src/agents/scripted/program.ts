import { ownProgram } from '../process/own-program.ts';

/** The scripted agent's program. */
export function scriptedAgentProgram(): string {
  return ownProgram('scripted-agent.cjs');
}
