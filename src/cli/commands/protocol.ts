import type { Command } from 'commander';
import type { Protocol } from '../../protocols/protocol.ts';
import { protocolGraph, renderProtocol } from '../../protocols/render.ts';
import { ownFilesOf, resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import { type CommonOptions, pathOf } from '../command.ts';
import { nameForAgents } from '../invoked-name.ts';
import { print, printJson } from '../output.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

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
      await showProtocol(names, options, nameForAgents(action));
    });
}

interface ProtocolOptions extends CommonOptions, TrustOptions {
  list?: true;
  lint?: true;
  graph?: true;
}

/** Prints one protocol: for an agent, as data, or as a flow chart. Its commands use the name we were called by. */
async function showProtocol(names: string[], options: ProtocolOptions, calledBy: string): Promise<void> {
  const { format, graph } = options;
  const protocol = withProgramName(calledBy, await resolveProtocol(onlyName(names)));
  if (!graph && !process.stdout.isTTY) await requireProtocolTrust(onlyName(names), options);
  if (format === 'json') return printJson(graph ? { graph: protocolGraph(protocol) } : protocol);
  await print(visible(graph ? protocolGraph(protocol) : renderProtocol(protocol)));
}

/** If no person reads it, an agent follows it. */
async function requireProtocolTrust(name: string, options: ProtocolOptions): Promise<void> {
  if ((await ownFilesOf(name, '.')).length === 0) return;
  const [{ withCommandContext }, { requireTrust }, { followedProtocols }] = await Promise.all([
    import('../command-context.ts'),
    import('../trust/require-trust.ts'),
    import('../../work/trust/gather.ts'),
  ]);
  await withCommandContext(options, async (context) =>
    requireTrust(context, await context.project(), await followedProtocols('.', [name]), options),
  );
}

function onlyName([name, ...more]: string[]): string {
  if (name !== undefined && more.length === 0) return name;
  throw new FermataError(
    'invalid',
    name === undefined
      ? `Which protocol? "${cmd`protocol --list`}" lists them.`
      : 'Pass the name of one protocol.',
  );
}

/** The protocol with our commands under the name we were called by; built-in files say `fermata`. */
function withProgramName(name: string, protocol: Protocol): Protocol {
  const steps = protocol.steps.map((step) =>
    step.from.file.startsWith('builtin/')
      ? { ...step, text: step.text.replace(/`fermata(?= [a-z])/g, `\`${name}`) }
      : step,
  );
  return { ...protocol, steps };
}
