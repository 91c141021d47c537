import type { Command } from 'commander';
import { pathOf } from '../command.ts';
import { nameForAgents } from '../invoked-name.ts';
import type { ProtocolOptions } from '../protocol/show.ts';
import { withTrustOption } from '../trust/trust-options.ts';

export function define(command: Command): void {
  const path = pathOf(command);
  withTrustOption(command)
    .description(
      'Print the steps of a protocol for an agent to follow. It is a file in .claude/protocols, or built in.',
    )
    .usage('[options] NAME')
    .argument('[name...]', 'the protocol; with --lint, the files to check (default: all protocols)')
    .option('--list', 'list the available protocols')
    .option('--lint', 'check files without running them: keys, what they extend, references to steps')
    .option('--graph', 'print the steps as a Mermaid flow chart')
    .addHelpText(
      'after',
      `
Examples:
  fermata ${path} debugging
  fermata ${path} --list
  fermata ${path} --lint .claude/protocols/release.yaml
  fermata ${path} debugging --graph > debugging.mmd

Agents and programs get a protocol of the project only after you trust it. In a terminal you can always read it.
Exit codes: 0 printed or no problems, 2 unknown protocol or errors in its file, 3 not trusted yet.`,
    )
    .action(async (names: string[], options: ProtocolOptions, action: Command) => {
      if (options.lint) return (await import('../protocol/lint.ts')).lintProtocols(names, options);
      if (options.list) return (await import('../protocol/list.ts')).listProtocols(names, options);
      await (await import('../protocol/show.ts')).showProtocol(names, options, nameForAgents(action));
    });
}
