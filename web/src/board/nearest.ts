import type { GraphNode } from './layout.ts';

/**
 * Those of the nodes that are nearest to some of them, at most `most`: these first, then what they depend on and what
 * depends on them, then what is one step further, up to `steps`. In the order in which they were given.
 */
export function nearest<Node extends GraphNode>(
  nodes: readonly Node[],
  from: Iterable<string>,
  most: number,
  steps = Infinity,
): Node[] {
  const beside = neighbours(nodes);
  const near = new Set<string>();
  let ring = new Set([...from].filter((id) => beside.has(id)));
  for (let step = 0; step <= steps && ring.size > 0 && near.size < most; step++) {
    for (const id of ring) if (near.size < most) near.add(id);
    const next = [...ring].flatMap((id) => beside.get(id) ?? []);
    ring = new Set(next.filter((id) => !near.has(id)));
  }
  return nodes.filter(({ id }) => near.has(id));
}

/** On both sides, of each node. */
function neighbours(nodes: readonly GraphNode[]): Map<string, string[]> {
  const beside = new Map(nodes.map(({ id }) => [id, [] as string[]]));
  for (const { id, dependsOn } of nodes) {
    for (const other of dependsOn) {
      if (!beside.has(other)) continue;
      beside.get(id)?.push(other);
      beside.get(other)?.push(id);
    }
  }
  return beside;
}
