import { claudeDriver } from '../claude/driver.ts';
import type { AgentDriver } from '../driver.ts';
import { SCENARIO, scriptedAgentProgram } from '../process/program.ts';

/** The agent that plays a scenario, set by FAKE_CLAUDE_CONFIG or `--scenario`. It speaks Claude Code's protocol. */
export const scriptedDriver: AgentDriver = claudeDriver({
  name: 'scripted',
  program: process.execPath,
  args: [scriptedAgentProgram()],
  needs: () => SCENARIO,
  savesTranscripts: false,
  notes: () => [],
  advice: 'It is part of Fermata, so reinstall Fermata.',
});
