import { ownProgram } from '../process/own-program.ts';
import type { McpServer, Mode } from './argv.ts';
import { claudeNeeds } from './environment.ts';
import { personalSettings } from './personal-settings.ts';

/** What may differ between programs that speak as Claude Code does. */
export interface ClaudeOptions {
  name: string;
  program: string;
  /** Come before all others, such as the script that an interpreter runs. */
  args: string[];
  mode: Mode;
  /** The MCP server that asks in the mode `mcp`. */
  mcp(): McpServer;
  /** The variables that reach the program beside the common ones. */
  needs(env: Record<string, string | undefined>): RegExp;
  /** Whether the program saves its sessions where Claude Code does. */
  savesTranscripts: boolean;
  /** What of the person's own settings decides what it does unasked. */
  notes(env: Record<string, string | undefined>): string[];
  /** What to do where the program is missing. */
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
