/** One figure of a bench; its budget is `atMost` or `atLeast`, or it is only reported. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  atMost?: number;
  atLeast?: number;
  /** Every store must meet the budget, not only SQLite. */
  onEveryStore?: boolean;
}

/** With `--quick` a bench only shows that it runs: each size is its smallest, and no budget applies. */
const isQuick = process.argv.includes('--quick');

export function size(usual: number, smallest: number): number {
  return isQuick ? smallest : usual;
}

/** The bench fails if a budget is not met, except with `--quick` or `--report-only`. */
export function judge(figures: readonly Figure[]): void {
  const isJudged = !isQuick && !process.argv.includes('--report-only');
  process.exitCode = isJudged && figures.some(isOver) ? 1 : 0;
}

function isOver({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Figure): boolean {
  return !(value <= atMost && value >= atLeast);
}

/** The figures that have budgets in the first column, and others of the same things beside them. */
export function table(columns: Record<string, readonly Figure[]>): string {
  const names = Object.keys(columns);
  const [first = []] = Object.values(columns);
  const rows = first.map((figure, index) => {
    const row = names.map((name) => columns[name]?.[index]);
    const cells = row.map((cell) => amount(cell).padStart(12));
    const judged = figure.onEveryStore ? row.filter((cell) => cell !== undefined) : [figure];
    return `${figure.what.padEnd(62)}${cells.join('')}  ${budget(figure).padEnd(10)}${verdict(judged)}`.trimEnd();
  });
  const head = `${''.padEnd(62)}${names.map((name) => name.padStart(12)).join('')}  budget`;
  return [head, ...rows].join('\n');
}

function amount(figure: Figure | undefined): string {
  if (!figure) return '–';
  return `${figure.value >= 100 ? figure.value.toFixed(0) : figure.value.toFixed(2)} ${figure.unit}`;
}

function budget({ atMost, atLeast, unit }: Figure): string {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`;
  return atLeast === undefined ? '' : `≥ ${atLeast} ${unit}`;
}

export function verdict(figures: readonly Figure[]): string {
  if (figures.every((figure) => budget(figure) === '')) return '';
  return figures.some(isOver) ? 'OVER' : 'ok';
}
