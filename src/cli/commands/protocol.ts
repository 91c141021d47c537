import type { Command } from 'commander';
import { printable } from '../../channels/printable.ts';
import { protocolGraph } from '../../protocols/graph.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';

interface ProtocolOptions extends CommonOptions {
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
      const protocol = await resolveProtocol(onlyName(names));
      const json = options.format === 'json';
      if (options.graph) return showGraph(protocolGraph(protocol), json);
      await (json ? printJson(protocol) : print(printable(renderProtocol(protocol))));
    });
}

function showGraph(graph: string, json: boolean): Promise<void> {
  return json ? printJson({ graph }) : print(printable(graph));
}

function onlyName([name, ...more]: string[]): string {
  if (name !== undefined && more.length === 0) return name;
  throw new FermataError(
    'invalid',
    name === undefined
      ? 'Which protocol? "fermata protocol --list" shows those that there are.'
      : 'Give the name of one protocol.',
  );
}
