import { FermataError } from '../../schema/error.ts';
import type { AgentDriver } from '../driver.ts';

/** Only the driver that is used is loaded. */
const drivers: Record<string, () => Promise<AgentDriver>> = {
  claude: async () => (await import('./claude/driver.ts')).claudeDriver(),
  /** Where the control channel is of no use: questions through our MCP server, or in the text of the next turn. */
  'claude-mcp': async () =>
    (await import('./claude/driver.ts')).claudeDriver({ name: 'claude-mcp', mode: 'mcp' }),
  'claude-text': async () =>
    (await import('./claude/driver.ts')).claudeDriver({ name: 'claude-text', mode: 'text' }),
  codex: async () => (await import('./codex/driver.ts')).codexDriver,
  command: async () => (await import('./command.ts')).commandDriver,
  scripted: async () => (await import('./scripted.ts')).scriptedDriver,
};

export const driverNames = Object.keys(drivers);

export async function findDriver(name: string): Promise<AgentDriver> {
  const load = drivers[name];
  if (!load)
    throw new FermataError(
      'invalid',
      `There is no agent "${name}". The agents are ${driverNames.join(', ')}.`,
    );
  return load();
}
