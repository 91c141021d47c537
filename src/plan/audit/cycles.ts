/** A dependency graph: node `i` depends on the nodes `edges[i]`. */
export type Graph = readonly (readonly number[])[];

export interface Cycles {
  /** Each begins and ends with the same node. */
  cycles: number[][];
  /** Nodes with too many cycles to list one by one. */
  rest: number[][];
}

/** Steps per node and edge after which cycles are no longer listed one by one. */
const PATIENCE = 30;
const MIN_STEPS = 20_000;

/**
 * Finds every cycle, without recursion. There can be more than anybody could read or store, so after a number of steps in
 * proportion to the graph, the rest are reported as groups of mutually dependent nodes.
 */
export function findCycles(graph: Graph): Cycles {
  const size = graph.reduce((sum, edges) => sum + edges.length + 1, 0);
  const budget = { steps: Math.max(MIN_STEPS, PATIENCE * size) };
  const found: Cycles = { cycles: [], rest: [] };
  const waiting = components(graph, all(graph.length), budget).reverse();
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    if (budget.steps <= 0 || !cyclesThrough(graph, group, found.cycles, budget)) {
      found.rest.push(group);
      continue;
    }
    const [, ...others] = group;
    if (others.length > 0) waiting.push(...components(graph, others, budget).reverse());
  }
  return found;
}

/** For each node in a cycle: its strongly connected group. */
export function groupsWithCycles(graph: Graph): Map<number, number> {
  const groups = components(graph, all(graph.length), { steps: 0 });
  return new Map(groups.flatMap((group, index) => group.map((node) => [node, index] as const)));
}

interface Budget {
  steps: number;
}

/** All cycles through the first node of a group; false if the budget ran out. */
function cyclesThrough(graph: Graph, group: number[], found: number[][], budget: Budget): boolean {
  const [root = 0] = group;
  const inside = new Set(group);
  const onPath = new Set([root]);
  const path = [{ node: root, next: 0 }];
  for (let top = path.at(-1); top; top = path.at(-1)) {
    if (budget.steps-- <= 0) return false;
    const edges = graph[top.node] ?? [];
    const target = edges[top.next++];
    if (target === undefined) {
      path.pop();
      onPath.delete(top.node);
    } else if (target === root) {
      found.push([...path.map(({ node }) => node), root]);
      budget.steps -= path.length;
    } else if (inside.has(target) && !onPath.has(target)) {
      path.push({ node: target, next: 0 });
      onPath.add(target);
    }
  }
  return true;
}

/**
 * Strongly connected groups (Tarjan), in the order of their first nodes. Only those with a cycle: a single node has one
 * if it depends on itself.
 */
function components(graph: Graph, nodes: number[], budget: Budget): number[][] {
  const inside = new Set(nodes);
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const groups: number[][] = [];
  const enter = (node: number) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    onStack.add(node);
    return { node, next: 0 };
  };
  const lower = (node: number, value: number) => low.set(node, Math.min(low.get(node) ?? value, value));
  for (const start of nodes) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      budget.steps -= 1;
      const target = graph[top.node]?.[top.next++];
      if (target === undefined) {
        path.pop();
        const under = path.at(-1);
        if (under) lower(under.node, low.get(top.node) ?? 0);
        if (low.get(top.node) === order.get(top.node)) groups.push(cutOff(stack, onStack, top.node));
      } else if (inside.has(target)) {
        if (!order.has(target)) path.push(enter(target));
        else if (onStack.has(target)) lower(top.node, order.get(target) ?? 0);
      }
    }
  }
  return groups
    .filter(([first = 0, ...more]) => more.length > 0 || graph[first]?.includes(first))
    .sort(([a = 0], [b = 0]) => a - b);
}

function cutOff(stack: number[], onStack: Set<number>, node: number): number[] {
  const group = stack.splice(stack.lastIndexOf(node));
  for (const each of group) onStack.delete(each);
  return group.sort((a, b) => a - b);
}

function all(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
