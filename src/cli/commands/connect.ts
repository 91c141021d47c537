import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { ClaudeConnection } from '../../sessions/claude/connect.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';

interface ConnectOptions extends CommonOptions {
  undo?: true;
}

export function define(command: Command): void {
  command
    .description(
      'Bring the questions, permissions and plans of your own Claude Code sessions to your inbox. The dialogs in your terminal work as ever.',
    )
    .argument('[agents...]', 'claude (default: all that are installed)')
    .option('--undo', 'disconnect, and leave every file as it was')
    .addHelpText(
      'after',
      `
Examples:
  fermata connect
  fermata connect claude --undo

Sessions that are already open are connected once they start again.`,
    )
    .action(async (names: string[], options: ConnectOptions) => {
      const wrong = names.find((name) => name !== 'claude');
      if (wrong !== undefined)
        throw new FermataError('invalid', `Fermata cannot connect "${wrong}". It can connect claude.`);
      const claude = new ClaudeConnection(process.env);
      if (claude.program === undefined)
        throw new FermataError(
          'not_found',
          'Claude Code is not installed. Install it: npm install -g @anthropic-ai/claude-code',
        );
      const isConnected = options.undo !== true;
      if (isConnected) {
        if (options.format === 'text')
          await print(claude.commands.map((words) => `Running claude ${words.join(' ')}`).join('\n'));
        await claude.connect();
      } else await claude.undo();
      if (options.format === 'json')
        return printJson({ agents: [{ name: 'claude', connected: isConnected }] });
      await print(isConnected ? connectedText() : 'Disconnected claude.');
    });
}

const connectedText =
  () => `Connected claude. Start it as ever; what it asks is in your inbox, too: ${cmd`inbox --all`}
In the browser: ${cmd`serve --open`}
To take it back: ${cmd`connect --undo`}`;
