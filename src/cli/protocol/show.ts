import { printable } from '../../channels/printable.ts';
import { protocolGraph } from '../../protocols/graph.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { FermataError } from '../../schema/error.ts';
import type { ProtocolOptions } from '../commands/protocol.ts';
import { print, printJson } from '../output.ts';

/** Prints one protocol: for an agent, as data, or as a flow chart. */
export async function showProtocol(names: string[], { format, graph }: ProtocolOptions): Promise<void> {
  const protocol = await resolveProtocol(onlyName(names));
  if (format === 'json') return printJson(graph ? { graph: protocolGraph(protocol) } : protocol);
  await print(printable(graph ? protocolGraph(protocol) : renderProtocol(protocol)));
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
