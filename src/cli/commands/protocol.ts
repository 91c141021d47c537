import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';

export interface ProtocolOptions extends CommonOptions {
  list?: true;
  lint?: true;
  graph?: true;
}

export function define(command: Command): void {
  command
    .description(
      'Print the steps of a protocol for an agent to follow: one of .claude/protocols, or a built-in one.',
    )
    .usage('[options] NAME')
    .argument('[name...]', 'the protocol; with --lint, the files to check (all protocols without one)')
    .option('--list', 'list the protocols that there are')
    .option('--lint', 'check files without running them: keys, what they extend, references to steps')
    .option('--graph', 'print the steps as a Mermaid flow chart')
    .addHelpText(
      'after',
      `
Examples:
  fermata protocol debugging
  fermata protocol --list
  fermata protocol --lint .claude/protocols/release.yaml
  fermata protocol debugging --graph > debugging.mmd

Exit codes: 0 printed or in order, 2 there is no such protocol, or its file has errors.`,
    )
    .action(async (names: string[], options: ProtocolOptions) => {
      if (options.lint) return (await import('../protocol/lint.ts')).lintProtocols(names, options);
      if (options.list) return (await import('../protocol/list.ts')).listProtocols(names, options);
      await (await import('../protocol/show.ts')).showProtocol(names, options);
    });
}
