import { ownProgram } from '../process/own-program.ts';
import type { McpServer } from './argv.ts';

/** `fermata mcp` of this installation. */
export function ownMcpServer(): McpServer {
  return { command: process.execPath, args: [ownProgram('fermata.cjs'), 'mcp'] };
}
