import { ownProgram } from '../process/own-program.ts';
import { askHuman, HUMAN_SERVER } from '../questions/ask-human.ts';

const A_WEEK_S = 7 * 24 * 3600;

/**
 * The arguments that give every thread of Codex an MCP server with our tool, because Codex does not pass the tools that we
 * offer on to sub-agents. It waits as long as a person takes.
 */
export function ownServer(): string[] {
  const { name, description, inputSchema } = askHuman;
  const tool = { name, description, inputSchema, annotations: { readOnlyHint: true } };
  const settings = {
    command: process.execPath,
    args: [ownProgram('ask-human.cjs'), JSON.stringify(tool)],
    tool_timeout_sec: A_WEEK_S,
  };
  return Object.entries(settings).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.${HUMAN_SERVER}.${key}=${JSON.stringify(value)}`,
  ]);
}
