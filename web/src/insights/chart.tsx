export interface Bar {
  label: string;
  /** From the bottom up. */
  parts: number[];
  /** What it stands for, in words. */
  words: string;
}

const WIDTH = 320;
const HEIGHT = 96;
const TOP = 16;
/** As many as are still wide enough to point at. */
const MAX_BARS = 26;

/** Bars of the latest weeks, each with its value as a tooltip; the highest value is written above. */
export function Chart({ title, bars, top }: { title: string; bars: Bar[]; top(value: number): string }) {
  const shown = bars.slice(-MAX_BARS);
  const sum = ({ parts }: Bar) => parts.reduce((a, b) => a + b, 0);
  const most = Math.max(...shown.map(sum));
  const step = WIDTH / Math.max(shown.length, 4);
  const scale = most > 0 ? (HEIGHT - TOP) / most : 0;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 16}`}
        role="img"
        aria-label={`${title}: ${shown.map(({ label, words }) => `${label} ${words}`).join('; ')}`}
      >
        <text x="0" y="11">
          {top(most)}
        </text>
        <path d={`M0 ${TOP}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        {shown.map((bar, at) => (
          <g key={bar.label}>
            <title>{`${bar.label}: ${bar.words}`}</title>
            {bar.parts.map((part, index) => {
              const below = bar.parts.slice(0, index).reduce((a, b) => a + b, 0);
              return (
                <rect
                  key={index}
                  class={`part-${index}`}
                  x={at * step + step * 0.15}
                  y={HEIGHT - (below + part) * scale}
                  width={step * 0.7}
                  height={part * scale}
                />
              );
            })}
          </g>
        ))}
        <text x="0" y={HEIGHT + 13}>
          {shown[0]?.label}
        </text>
        {shown.length > 3 && (
          <text x={WIDTH} y={HEIGHT + 13} text-anchor="end">
            {shown.at(-1)?.label}
          </text>
        )}
      </svg>
    </figure>
  );
}
