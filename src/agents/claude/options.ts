import { ownProgram } from '../process/program.ts';
import type { McpServer, Mode } from './argv.ts';
import { claudeNeeds } from './environment.ts';
import { personalSettings } from './personal-settings.ts';

/** What may differ between programs that speak Claude Code's protocol. */
export interface ClaudeOptions {
  name: string;
  program: string;
  /** Precede all other arguments, such as the script that an interpreter runs. */
  args: string[];
  mode: Mode;
  /** The MCP server that asks in `mcp` mode. */
  mcp(): McpServer;
  /** The variables that the program gets besides the common ones. */
  needs(env: Record<string, string | undefined>): RegExp;
  /** Whether the program saves its sessions where Claude Code does. */
  savesTranscripts: boolean;
  /** Which of the person's own settings let it act without asking. */
  notes(env: Record<string, string | undefined>): string[];
  /** What to do if the program is missing. */
  advice: string;
}

export const claudeDefaults = {
  name: 'claude',
  program: 'claude',
  args: [],
  mode: 'control',
  mcp: ownMcpServer,
  needs: claudeNeeds,
  savesTranscripts: true,
  notes: personalSettings,
  advice:
    'Install Claude Code (npm install -g @anthropic-ai/claude-code), or use another agent (--agent codex, or --agent command --agent-command PROGRAM).',
} satisfies ClaudeOptions;

/** `fermata mcp` of this installation. */
function ownMcpServer(): McpServer {
  return { command: process.execPath, args: [ownProgram('fermata.cjs'), 'mcp'] };
}
