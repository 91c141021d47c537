import type { Protocol } from '../../protocols/protocol.ts';
import { protocolGraph, renderProtocol } from '../../protocols/render.ts';
import { ownFilesOf, resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';
import type { TrustOptions } from '../trust/trust-options.ts';

export interface ProtocolOptions extends CommonOptions, TrustOptions {
  list?: true;
  lint?: true;
  graph?: true;
}

/** Prints one protocol: for an agent, as data, or as a flow chart. Its commands use the name we were called by. */
export async function showProtocol(
  names: string[],
  options: ProtocolOptions,
  calledBy: string,
): Promise<void> {
  const { format, graph } = options;
  const protocol = withProgramName(calledBy, await resolveProtocol(onlyName(names)));
  if (!graph && !process.stdout.isTTY) await requireProtocolTrust(onlyName(names), options);
  if (format === 'json') return printJson(graph ? { graph: protocolGraph(protocol) } : protocol);
  await print(visible(graph ? protocolGraph(protocol) : renderProtocol(protocol)));
}

/** If no person reads it, an agent follows it. */
async function requireProtocolTrust(name: string, options: ProtocolOptions): Promise<void> {
  if ((await ownFilesOf(name, '.')).length === 0) return;
  const [{ withCommandContext: withSession }, { requireTrust }, { followedProtocols }] = await Promise.all([
    import('../command-context.ts'),
    import('../trust/require-trust.ts'),
    import('../../work/trust/gather.ts'),
  ]);
  await withSession(options, async (context) =>
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
