export interface GraphNode {
  id: string;
  dependsOn: readonly string[];
}

export interface Placed {
  id: string;
  column: number;
  row: number;
}

interface Edge {
  from: string;
  to: string;
  /** The places it passes through in the columns between its ends, which are kept free. */
  via: readonly Placed[];
}

export interface Layout {
  places: ReadonlyMap<string, Placed>;
  edges: readonly Edge[];
  columns: number;
  rows: number;
}

/** With more long edges, nobody can follow one anyway. */
const MAX_LANES = 500;

/** Places each node to the right of its dependencies, close to them. A cycle is cut where it is first met. */
export function layout(nodes: readonly GraphNode[]): Layout {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const columnOf = columnsOf(nodes, byId);
  const ends = nodes.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((from) => byId.has(from)).map((from) => ({ from, to: id })),
  );
  const routes = lanesOf(ends, columnOf);
  const columns: Stop[][] = [];
  const stops = [
    ...nodes.map(({ id }) => ({ id, column: columnOf.get(id) ?? 0, after: [] as string[] })),
    ...routes.flatMap(({ lanes }) => lanes),
  ];
  const stopOf = new Map(stops.map((stop) => [stop.id, stop]));
  for (const { from, to, lanes } of routes) stopOf.get(to)?.after.push(lanes.at(-1)?.id ?? from);
  for (const stop of stops) {
    columns[stop.column] ??= [];
    columns[stop.column]?.push(stop);
  }
  const placed = new Map<string, Placed>();
  for (const [column, members] of columns.entries()) {
    const wish = ({ after }: Stop) => mean(after.flatMap((id) => placed.get(id)?.row ?? []));
    const sorted = members.map((stop) => ({ stop, wish: wish(stop) })).sort((a, b) => a.wish - b.wish);
    for (const [row, { stop }] of sorted.entries()) placed.set(stop.id, { id: stop.id, column, row });
  }
  return {
    places: new Map([...placed].filter(([id]) => byId.has(id))),
    edges: routes.map(({ from, to, lanes }) => ({
      from,
      to,
      via: lanes.flatMap(({ id }) => placed.get(id) ?? []),
    })),
    columns: columns.length,
    rows: Math.max(0, ...columns.map(({ length }) => length)),
  };
}

/** A node, or a place that an edge passes through; `after` lists what is to its left. */
interface Stop {
  id: string;
  column: number;
  after: string[];
}

/** An edge over several columns gets a place in each of them. */
function lanesOf(
  ends: readonly { from: string; to: string }[],
  columnOf: ReadonlyMap<string, number>,
): { from: string; to: string; lanes: Stop[] }[] {
  const gap = ({ from, to }: { from: string; to: string }) =>
    Math.max(0, (columnOf.get(to) ?? 0) - (columnOf.get(from) ?? 0) - 1);
  const isCrowded = ends.reduce((sum, edge) => sum + gap(edge), 0) > MAX_LANES;
  return ends.map((edge) => {
    const { from, to } = edge;
    const lanes = Array.from({ length: isCrowded ? 0 : gap(edge) }, (_, index) => ({
      id: JSON.stringify([from, to, index]),
      column: (columnOf.get(from) ?? 0) + 1 + index,
      after: [index === 0 ? from : JSON.stringify([from, to, index - 1])],
    }));
    return { from, to, lanes };
  });
}

/** The longest path from a start, without recursion, because chains may be thousands long. */
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
