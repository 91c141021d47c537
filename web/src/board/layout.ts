export interface GraphNode {
  id: string;
  dependsOn: readonly string[];
}

export interface Placed {
  id: string;
  column: number;
  row: number;
}

export interface Layout {
  places: ReadonlyMap<string, Placed>;
  edges: readonly { from: string; to: string }[];
  columns: number;
  rows: number;
}

/** Puts each node right of everything that it depends on, near to it. A loop is cut where it is met first. */
export function layout(nodes: readonly GraphNode[]): Layout {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const columnOf = columnsOf(nodes, byId);
  const places = new Map<string, Placed>();
  const columns: GraphNode[][] = [];
  for (const node of nodes) {
    const column = columnOf.get(node.id) ?? 0;
    columns[column] ??= [];
    columns[column].push(node);
  }
  for (const [column, members] of columns.entries()) {
    const wish = (node: GraphNode) => mean(node.dependsOn.flatMap((id) => places.get(id)?.row ?? []));
    const sorted = members.map((node) => ({ node, wish: wish(node) })).sort((a, b) => a.wish - b.wish);
    for (const [row, { node }] of sorted.entries()) places.set(node.id, { id: node.id, column, row });
  }
  const edges = nodes.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((from) => byId.has(from)).map((from) => ({ from, to: id })),
  );
  return {
    places,
    edges,
    columns: columns.length,
    rows: Math.max(0, ...columns.map(({ length }) => length)),
  };
}

/** The longest way from a beginning, without recursion: chains may be thousands long. */
function columnsOf(nodes: readonly GraphNode[], byId: ReadonlyMap<string, GraphNode>): Map<string, number> {
  const columns = new Map<string, number>();
  const inWork = new Set<string>();
  for (const { id } of nodes) {
    const stack = [id];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as string;
      const before = (byId.get(top)?.dependsOn ?? []).filter((other) => byId.has(other) && other !== top);
      const missing = before.filter((other) => !columns.has(other) && !inWork.has(other));
      if (columns.has(top) || missing.length === 0) {
        const known = before.flatMap((other) => columns.get(other) ?? []);
        if (!columns.has(top)) columns.set(top, known.length === 0 ? 0 : Math.max(...known) + 1);
        inWork.delete(top);
        stack.pop();
        continue;
      }
      inWork.add(top);
      stack.push(...missing);
    }
  }
  return columns;
}

function mean(numbers: number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
