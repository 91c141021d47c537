import type { AgentSetup } from '../../driver.ts';

/**
 * How the agent's questions reach us. `control`: through stdin and stdout, answered in the same process. `mcp`: the
 * agent calls our MCP server for every permission and every question; that one asks. `text`: not at all while it
 * runs; what it was refused to ask is read from its result, and answered by resuming the session with a text.
 */
export type Mode = 'control' | 'mcp' | 'text';

export interface McpServer {
  command: string;
  args: string[];
}

export interface Launch {
  mode: Mode;
  setup: Pick<AgentSetup, 'model' | 'instructions'>;
  mcp(): McpServer;
  sessionId?: string;
}

/** Longer than any person takes; the limit is a hard one, a sign of life does not extend it. */
const A_WEEK_MS = 7 * 24 * 3600 * 1000;

/** The arguments of Claude Code. The prompt is not among them: it goes through stdin. */
export function argv({ mode, setup, mcp, sessionId }: Launch): string[] {
  return [
    '-p',
    '--verbose',
    ...['--output-format', 'stream-json'],
    ...asking(mode, mcp),
    ...(setup.model ? ['--model', setup.model] : []),
    ...(setup.instructions ? ['--append-system-prompt', setup.instructions] : []),
    ...(sessionId ? ['--resume', sessionId] : []),
  ];
}

function asking(mode: Mode, mcp: Launch['mcp']): string[] {
  switch (mode) {
    case 'control':
      return ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
    case 'mcp': {
      const { command, args } = mcp();
      const fermata = { type: 'stdio', command, args, timeout: A_WEEK_MS, alwaysLoad: true };
      const config = JSON.stringify({ mcpServers: { fermata } });
      return ['--mcp-config', config, '--permission-prompt-tool', 'mcp__fermata__permission'];
    }
    case 'text':
      return [];
    default:
      return mode satisfies never;
  }
}

/** What the mode needs in the environment. */
export function modeEnvironment(mode: Mode): Record<string, string> {
  return mode === 'mcp' ? { MCP_TOOL_TIMEOUT: String(A_WEEK_MS) } : {};
}
