import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { askedOn } from '../../agents/sent-out.ts';
import { newId } from '../../ledger/ids.ts';
import type { Asker } from '../../mcp/asker.ts';
import { serveMcp } from '../../mcp/server.ts';
import { mcpTools } from '../../mcp/tools.ts';
import type { By } from '../../schema/actor.ts';
import type { CommonOptions } from '../command.ts';
import { tell } from '../output.ts';
import { withSession } from '../session.ts';

interface McpOptions extends CommonOptions {
  task?: string;
}

export function define(command: Command): void {
  command
    .description(
      'Serve the Model Context Protocol on stdio, so that any agent that speaks it can ask you: ask_human, permission, list_questions, get_answer, report_progress.',
    )
    .option(
      '--task <id>',
      'the task that waits for the answers (default: the one that a run has sent this agent out on)',
    )
    .addHelpText(
      'after',
      `
In Claude Code:
  claude mcp add fermata -- fermata mcp
  claude -p "…" --mcp-config '{"mcpServers":{"fermata":{"command":"fermata","args":["mcp"]}}}' \\
    --permission-prompt-tool mcp__fermata__permission
In Codex:
  codex mcp add fermata -- fermata mcp
A person may need hours: set MCP_TOOL_TIMEOUT (ms) high, or tool_timeout_sec in Codex' config.toml.`,
    )
    .action(async (options: McpOptions) => {
      await withSession(options, async ({ ledger, project, by: actingBy }) => {
        const { id } = await project();
        // Whoever calls a tool is a model; who sits at its client is a person, unless we started it for one.
        const here = actingBy('mcp');
        const isPerson = here.actor.kind === 'person';
        const by: By = isPerson ? { actor: { kind: 'agent', name: 'mcp' }, channel: 'mcp' } : here;
        const asker: Asker = {
          ledger,
          projectId: id,
          on: (await askedOn(ledger, id, options.task, process.env)) ?? { sourceId: newId('mcp') },
          cwd: process.cwd(),
          by,
          ...(isPerson ? { person: here } : {}),
          report: (error) => tell(`Not answered in the client: ${(error as Error).message}`),
        };
        await serveMcp(mcpTools(asker), packageJson.version, process.stdin, process.stdout);
      });
    });
}
