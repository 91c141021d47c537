import { PassThrough, type Readable } from 'node:stream';
import type { Command } from 'commander';
import { taskForQuestion } from '../../agents/agent-task.ts';
import { type Asker, openSession } from '../../mcp/asker.ts';
import { serveMcp } from '../../mcp/stdio.ts';
import { mcpTools } from '../../mcp/tools.ts';
import type { By } from '../../schema/actor.ts';
import type { CommonOptions } from '../command.ts';
import { withCommandContext } from '../command-context.ts';
import { interrupted } from '../interrupt.ts';
import { tell } from '../output.ts';

interface McpOptions extends CommonOptions {
  task?: string;
}

export function define(command: Command): void {
  command
    .description(
      'Serve the Model Context Protocol on stdio, so that any MCP agent can ask you: ask_human, permission, list_questions, get_answer, report_progress.',
    )
    .option('--task <id>', "the task that waits for the answers (default: the task of this agent's run)")
    .addHelpText(
      'after',
      `
Example:
  fermata mcp --task login/1    an agent starts it for its task

In Claude Code:
  claude mcp add fermata -- fermata mcp
  claude -p "…" --mcp-config '{"mcpServers":{"fermata":{"command":"fermata","args":["mcp"]}}}' \\
    --permission-prompt-tool mcp__fermata__permission
In Codex:
  codex mcp add fermata -- fermata mcp
A person may need hours, so set a high MCP_TOOL_TIMEOUT (ms), or tool_timeout_sec in the config.toml of Codex.
Over HTTP, without this command: see "Asking through MCP" in the documentation.`,
    )
    .action(async (options: McpOptions) => {
      await withCommandContext(options, async ({ ledger, project, by: actingBy }) => {
        const { id } = await project();
        // A model calls the tools, but the user of its client is a person, unless we started it for an agent.
        const here = actingBy('mcp');
        const isPerson = here.actor.kind === 'person';
        const by: By = isPerson ? { actor: { kind: 'agent', name: 'mcp' }, channel: 'mcp' } : here;
        const asker: Omit<Asker, 'on' | 'source'> = {
          ledger,
          projectId: id,
          cwd: process.cwd(),
          by,
          ...(isPerson ? { person: here } : {}),
          report: (error) => tell(`Not answered in the client: ${(error as Error).message}`),
        };
        const session = await openSession(
          asker,
          await taskForQuestion(ledger, id, options.task, process.env),
        );
        await serveMcp(mcpTools(session), untilSignal(process.stdin), process.stdout);
        await session.end();
      });
    });
}

/** A client may end its servers with a signal, which also counts as the end of input. */
function untilSignal(input: NodeJS.ReadStream): Readable {
  const open = input.pipe(new PassThrough());
  const end = () => {
    interrupted();
    input.destroy();
    open.end();
  };
  process.once('SIGTERM', end).once('SIGINT', end).once('SIGHUP', end);
  return open;
}
