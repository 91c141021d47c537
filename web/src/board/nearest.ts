import type { GraphNode } from './layout.ts';

/**
 * At most `most` nodes nearest to the given ones: these first, then their dependencies and dependants, then one step
 * further, up to `steps`. In their original order.
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

/** The neighbours of each node, in both directions. */
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
