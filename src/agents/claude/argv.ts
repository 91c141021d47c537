import type { AgentSetup } from '../driver.ts';

/**
 * How the agent's questions reach us. `control`: through stdin and stdout, answered in the same process. `mcp`: the agent
 * calls our MCP server for every permission and question, and the server asks the person. `text`: not while it runs; we
 * read the refused questions from its result and answer them by resuming the session with a text.
 */
export type Mode = 'control' | 'mcp' | 'text';

export interface McpServer {
  command: string;
  args: string[];
}

export interface Launch {
  mode: Mode;
  setup: Pick<AgentSetup, 'model' | 'instructions' | 'parkAfterMs' | 'sandbox'>;
  mcp(): McpServer;
  sessionId?: string;
}

/** Longer than any person takes. It is a hard limit; progress messages do not extend it. */
const A_WEEK_MS = 7 * 24 * 3600 * 1000;

/**
 * Claude Code asks a person, whatever mode the settings choose. All setting sources apply, because the person's contain
 * the login and the model, and the repository's are trusted before an agent starts.
 */
const PERMISSIONS = ['--permission-mode', 'default', '--setting-sources', 'user,project,local'];

/** In our sandbox it cannot create its own, so it asks about commands as usual. */
const NO_SANDBOX = ['--settings', JSON.stringify({ sandbox: { enabled: false } })];

/** Shows when a message is complete, because a run must not be parked on a question while the model may still add another. */
const WHOLE_MESSAGES = '--include-partial-messages';

/** The arguments of Claude Code, without the prompt, which goes through stdin. */
export function argv({ mode, setup, mcp, sessionId }: Launch): string[] {
  return [
    '-p',
    '--verbose',
    ...['--output-format', 'stream-json'],
    ...PERMISSIONS,
    ...(setup.sandbox ? NO_SANDBOX : []),
    ...asking(mode, mcp),
    ...(mode === 'control' && setup.parkAfterMs !== undefined ? [WHOLE_MESSAGES] : []),
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

/** The environment variables that the mode needs. */
export function modeEnvironment(mode: Mode): Record<string, string> {
  switch (mode) {
    case 'control':
      // Makes the CLI report when it is idle, not only that a turn has ended.
      return { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' };
    case 'mcp':
      return { MCP_TOOL_TIMEOUT: String(A_WEEK_MS) };
    case 'text':
      return {};
    default:
      return mode satisfies never;
  }
}
