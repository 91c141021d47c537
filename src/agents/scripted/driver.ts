import { claudeDriver } from '../claude/driver.ts';
import type { AgentDriver } from '../driver.ts';
import { SCENARIO, scriptedAgentProgram } from './program.ts';

const driver = claudeDriver({
  name: 'scripted',
  program: process.execPath,
  args: [scriptedAgentProgram()],
  needs: () => SCENARIO,
  savesTranscripts: false,
  notes: () => [],
  advice: 'It is part of Fermata, so reinstall Fermata.',
});

/** The agent that plays a scenario, set by FAKE_CLAUDE_CONFIG or `--scenario`. It speaks Claude Code's protocol. */
export const scriptedDriver: AgentDriver = {
  ...driver,
  // It is part of this installation, so there is no need to start it to find out whether it exists.
  probe: async (setup) =>
    setup.program === undefined
      ? { found: true, program: scriptedAgentProgram(), version: 'built in', notes: [] }
      : driver.probe(setup),
};
