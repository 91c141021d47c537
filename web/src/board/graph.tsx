import { useEffect, useRef } from 'preact/hooks';
import { type GraphNode, layout, type Placed } from './layout.ts';

export interface ShownNode extends GraphNode {
  title: string;
  /** A second line: who, or what it waits for. */
  detail: string;
  state: 'ready' | 'waiting' | 'running' | 'held' | 'failed' | 'done';
  href?: string;
}

const WIDTH = 208;
const HEIGHT = 48;
const GAP_X = 40;
const GAP_Y = 12;
const MARGIN = 4;

/** What depends on what, from left to right. */
export function Graph({
  nodes,
  label,
  current,
}: {
  nodes: readonly ShownNode[];
  label: string;
  /** The id of the current task. */
  current?: string;
}) {
  const { places, edges, columns, rows } = layout(nodes);
  const box = useRef<HTMLElement>(null);
  const at = current === undefined ? undefined : places.get(current);
  const [left, top] = at ? [x(at), y(at)] : [0, 0];
  useEffect(() => {
    // If there is no room for all, centres the current one.
    box.current?.scrollTo(
      left - (box.current.clientWidth - WIDTH) / 2,
      top - (box.current.clientHeight - HEIGHT) / 2,
    );
  }, [left, top]);
  const width = columns * (WIDTH + GAP_X) - GAP_X + 2 * MARGIN;
  const height = rows * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section ref={box} class="graph" tabIndex={0} aria-label={label}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{label}</title>
        <g class="edges">
          {edges.map(({ from, to, via }) => {
            const [a, b] = [places.get(from), places.get(to)];
            return a && b ? <path key={`${from} ${to}`} d={curve([a, ...via, b])} /> : null;
          })}
        </g>
        {nodes.map((node) => {
          const place = places.get(node.id);
          return place ? (
            <Node key={node.id} node={node} place={place} isCurrent={node.id === current} />
          ) : null;
        })}
      </svg>
    </section>
  );
}

const x = ({ column }: Placed) => MARGIN + column * (WIDTH + GAP_X);
const y = ({ row }: Placed) => MARGIN + row * (HEIGHT + GAP_Y);

/** From the right end of the first, through the places between, to the left end of the last. */
function curve(stops: readonly Placed[]): string {
  return stops
    .map((stop, index) => {
      const [left, right, middle] = [x(stop), x(stop) + WIDTH, y(stop) + HEIGHT / 2];
      const before = stops[index - 1];
      if (!before) return `M${right} ${middle}`;
      const [x1, y1] = [x(before) + WIDTH, y(before) + HEIGHT / 2];
      const bend = Math.max(GAP_X / 2, (left - x1) / 2);
      const way = `C${x1 + bend} ${y1} ${left - bend} ${middle} ${left} ${middle}`;
      return index < stops.length - 1 ? `${way}H${right}` : way;
    })
    .join('');
}

function Node({ node, place, isCurrent }: { node: ShownNode; place: Placed; isCurrent: boolean }) {
  const content = (
    <>
      <title>{`${node.title}: ${node.detail}`}</title>
      <rect width={WIDTH} height={HEIGHT} rx={6} />
      <foreignObject width={WIDTH} height={HEIGHT}>
        <div class="node-text">
          <span class="node-title" dir="auto">
            {node.title}
          </span>
          <span class="node-detail" dir="auto">
            {node.detail}
          </span>
        </div>
      </foreignObject>
    </>
  );
  return (
    <g class={`node ${node.state}`} transform={`translate(${x(place)} ${y(place)})`}>
      {node.href === undefined ? (
        content
      ) : (
        <a href={node.href} aria-current={isCurrent ? 'page' : undefined}>
          {content}
        </a>
      )}
    </g>
  );
}
