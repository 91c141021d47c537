import { describe, expect, it } from 'vitest';
import { layout } from '../../web/src/board/layout.ts';
import { nearest } from '../../web/src/board/nearest.ts';
import { timeline, timeOf } from '../../web/src/run/timeline.ts';

describe('the graph', () => {
  const node = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });

  it('puts each node right of everything that it depends on, and no two in one place', () => {
    const { places, edges, columns, rows } = layout([
      node('d', 'b', 'c'),
      node('a'),
      node('b', 'a'),
      node('c', 'a'),
      node('e', 'nowhere'),
    ]);
    const column = (id: string) => places.get(id)?.column;
    expect(['a', 'b', 'c', 'd', 'e'].map(column)).toEqual([0, 1, 1, 2, 0]);
    expect({ columns, rows, edges: edges.length }).toEqual({ columns: 3, rows: 2, edges: 4 });
    expect(new Set([...places.values()].map((place) => `${place.column} ${place.row}`)).size).toBe(5);
  });

  it('routes a long edge past the nodes between, in its own column', () => {
    const { places, edges } = layout([node('a'), node('b', 'a'), node('c', 'b', 'a'), node('z', 'a')]);
    const long = edges.find(({ from, to }) => from === 'a' && to === 'c');
    expect(long?.via.map(({ column }) => column)).toEqual([1]);
    const taken = [...places.values()].filter(({ column }) => column === 1).map(({ row }) => row);
    expect(taken).not.toContain(long?.via[0]?.row);
    expect(edges.find(({ to }) => to === 'b')?.via).toEqual([]);
  });

  it('survives cycles, and a chain of 10,000', () => {
    expect(layout([node('a', 'b'), node('b', 'a'), node('c', 'c')]).places.size).toBe(3);
    const chain = Array.from({ length: 10_000 }, (_, i) => node(`n${i}`, ...(i > 0 ? [`n${i - 1}`] : [])));
    expect(layout(chain.toReversed()).columns).toBe(10_000);
    expect(layout([]).rows).toBe(0);
  });
});

describe('the neighbourhood of a node', () => {
  const node = (id: string, ...dependsOn: string[]) => ({ id, dependsOn });
  const chain = ['a', 'b', 'c', 'd', 'e'].map((id, index, all) => node(id, ...all.slice(index - 1, index)));
  const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id).join('');

  it('is on both sides, up to the given number of steps, in the given order', () => {
    expect(ids(nearest(chain, ['c'], 10, 1))).toBe('bcd');
    expect(ids(nearest(chain, ['e', 'a'], 10, 1))).toBe('abde');
    expect(ids(nearest(chain, ['c'], 10))).toBe('abcde');
    expect(ids(nearest(chain, ['c'], 10, 0))).toBe('c');
  });

  it('never has more nodes than requested, and keeps the nearest', () => {
    expect(ids(nearest(chain, ['e'], 3))).toBe('cde');
    expect(nearest(chain, [], 3)).toEqual([]);
    expect(nearest(chain, ['nowhere'], 3)).toEqual([]);
  });

  it('survives cycles, and dependencies on missing nodes', () => {
    expect(ids(nearest([node('a', 'b'), node('b', 'a', 'gone')], ['a'], 9))).toBe('ab');
  });
});

describe('the timeline', () => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString();
  const wait = (from: number, to?: number) => ({
    createdAt: at(from),
    ...(to === undefined ? {} : { resolvedAt: at(to) }),
  });
  const minutes = (kind: 'work' | 'wait', ...questions: ReturnType<typeof wait>[]) =>
    timeOf(kind, timeline({ startedAt: at(0), endedAt: at(10) }, questions, 0)) / 60_000;

  it('marks the time spent waiting for a person, once if waits overlap', () => {
    expect(minutes('wait', wait(1, 3), wait(2, 5), wait(4, 4.5), wait(8, 9))).toBe(5);
    expect(minutes('work', wait(1, 3), wait(2, 5), wait(4, 4.5), wait(8, 9))).toBe(5);
    expect(minutes('wait')).toBe(0);
  });

  it('stays inside the run, and lasts until now if neither has ended', () => {
    expect(minutes('wait', wait(-5, 2), wait(9, 20))).toBe(3);
    const open = timeline({ startedAt: at(0), endedAt: null }, [wait(4)], 7 * 60_000);
    expect(open.map(({ kind, from, to }) => [kind, from / 60_000, to / 60_000])).toEqual([
      ['work', 0, 4],
      ['wait', 4, 7],
    ]);
  });
});
