import { basename } from 'node:path';
import { realPath } from '../../files/real-path.ts';
import { ownProgram } from '../process/own-program.ts';

const NAME = 'scripted-agent.cjs';

/** The variable that names its scenario. */
export const SCENARIO = /^FAKE_CLAUDE_CONFIG$/;

export function scriptedAgentProgram(): string {
  return ownProgram(NAME);
}

/** Whether a path leads to the scripted agent, even through links. */
export const isScriptedAgent = (path: string) => basename(realPath(path)) === NAME;
