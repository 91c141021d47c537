import type { AgentDriver } from '../driver.ts';
import { scriptedAgentProgram } from '../scripted/program.ts';
import { claudeDriver } from './claude/driver.ts';

/** The agent that plays a scenario, named by FAKE_CLAUDE_CONFIG or `--scenario`; it speaks as Claude Code does. */
export const scriptedDriver: AgentDriver = claudeDriver({
  name: 'scripted',
  program: process.execPath,
  args: [scriptedAgentProgram()],
  needs: () => /^FAKE_CLAUDE_CONFIG$/,
  advice: 'It comes with Fermata: install that again.',
});
