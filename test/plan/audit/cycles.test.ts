import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles, type Graph } from '../../../src/plan/audit/cycles.ts';
import { cases } from '../../support/long.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('AUD-2 every cycle is found', () => {
  it.each<[string, Graph, number[][]]>([
    ['none', [[1], [2], []], []],
    ['a node that waits for itself', [[0]], [[0, 0]]],
    [
      'two apart',
      [[1], [0], [3], [2]],
      [
        [0, 1, 0],
        [2, 3, 2],
      ],
    ],
    [
      'two that share a node',
      [[1], [0, 2], [1]],
      [
        [0, 1, 0],
        [1, 2, 1],
      ],
    ],
    [
      'one inside of another',
      [[1, 2], [2], [0]],
      [
        [0, 1, 2, 0],
        [0, 2, 0],
      ],
    ],
    [
      'all of three that wait for each other',
      [
        [1, 2],
        [0, 2],
        [0, 1],
      ],
      [
        [0, 1, 0],
        [0, 1, 2, 0],
        [0, 2, 0],
        [0, 2, 1, 0],
        [1, 2, 1],
      ],
    ],
  ])('%s', (_, graph, cycles) => {
    expect(findCycles(graph)).toEqual({ cycles, rest: [] });
  });

  it('as many as a brute-force search finds', () => {
    const graph = fc.array(fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 }), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(graph, (edges) => {
        const { cycles, rest } = findCycles(edges);
        expect(rest).toEqual([]);
        expect(cycles.map(String).sort()).toEqual(allCycles(edges).map(String).sort());
      }),
      { numRuns: cases(300) },
    );
  });
});

/** By recursion, which only a small graph allows. */
function allCycles(graph: Graph): number[][] {
  const from = (root: number, path: number[]): number[][] =>
    (graph[path.at(-1) ?? root] ?? []).flatMap((next) => {
      if (next === root) return [[...path, root]];
      return next < root || path.includes(next) ? [] : from(root, [...path, next]);
    });
  return graph.flatMap((_, root) => from(root, [root]));
}

describe('AUD-4 large graphs', () => {
  it('a chain of 20,000 has none, and a cycle through all of them is one', () => {
    expect(findCycles(range(20_000).map((node) => (node === 0 ? [] : [node - 1])))).toEqual({
      cycles: [],
      rest: [],
    });
    const { cycles, rest } = findCycles(range(20_000).map((node) => [(node + 1) % 20_000]));
    expect(cycles).toHaveLength(1);
    expect(cycles[0]).toHaveLength(20_001);
    expect(rest).toEqual([]);
  });

  it('more cycles than can be counted are reported as a group', () => {
    const { cycles, rest } = findCycles(range(40).map(() => range(40)));
    expect(rest.flat().length).toBeGreaterThan(0);
    expect(cycles.length).toBeLessThan(100_000);
    expect(new Set([...cycles, ...rest].flat()).size).toBe(40);
  });

  it('long cycles cost as many steps as they have nodes: those of 2,000 are not all written out', () => {
    const { cycles, rest } = findCycles(range(2000).map((node) => (node < 1999 ? [0, node + 1] : [0])));
    expect(cycles.flat().length).toBeLessThan(200_000);
    expect(rest.flat()).toHaveLength(2000);
  });

  it('10,000 phases that each wait for both neighbours are finished in time', () => {
    const { cycles, rest } = findCycles(
      range(10_000).map((node) => [node - 1, node + 1].filter((each) => each >= 0 && each < 10_000)),
    );
    expect(new Set([...cycles, ...rest].flat()).size).toBe(10_000);
  });
});
