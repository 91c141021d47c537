import { type AgentName, agentNames } from '../schema/agent-name.ts';
import { FermataError } from '../schema/error.ts';
import type { AgentDriver } from './driver.ts';

/** Only the driver in use is loaded. */
const drivers: Record<AgentName, () => Promise<AgentDriver>> = {
  claude: async () => (await import('./claude/driver.ts')).claudeDriver(),
  /** Without the control channel, questions come through our MCP server, or in the text of the next turn. */
  'claude-mcp': async () =>
    (await import('./claude/driver.ts')).claudeDriver({ name: 'claude-mcp', mode: 'mcp' }),
  'claude-text': async () =>
    (await import('./claude/driver.ts')).claudeDriver({ name: 'claude-text', mode: 'text' }),
  codex: async () => (await import('./codex/driver.ts')).codexDriver,
  command: async () => (await import('./command/driver.ts')).commandDriver,
  scripted: async () => (await import('./claude/driver.ts')).scriptedDriver,
};

export async function findDriver(name: string): Promise<AgentDriver> {
  const agent = agentNames.find((each) => each === name);
  if (!agent)
    throw new FermataError('invalid', `Unknown agent "${name}". Choose one of ${agentNames.join(', ')}.`);
  return drivers[agent]();
}
