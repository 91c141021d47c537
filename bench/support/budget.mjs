/**
 * One figure of a bench; its budget is `atMost` or `atLeast`, or it is only reported.
 * @typedef {{ what: string, value: number, unit: string, atMost?: number, atLeast?: number, onEveryStore?: true
 * }} Figure
 */

/** @param {Figure} figure */
export function isOver({ value, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) {
  return !(value <= atMost && value >= atLeast);
}

/**
 * The figures that have to keep the budgets, and others of the same things beside them.
 * @param {Record<string, Figure[]>} columns the first one is held against the budgets, where it says so all of them are
 */
export function table(columns) {
  const names = Object.keys(columns);
  const [first = []] = Object.values(columns);
  const rows = first.map((figure, index) => {
    const row = names.map((name) => columns[name]?.[index]);
    const cells = row.map((cell) => amount(cell).padStart(12));
    const judged = figure.onEveryStore ? row : [figure];
    return `${figure.what.padEnd(62)}${cells.join('')}  ${budget(figure).padEnd(10)}${verdict(judged)}`.trimEnd();
  });
  const head = `${''.padEnd(62)}${names.map((name) => name.padStart(12)).join('')}  budget`;
  return [head, ...rows].join('\n');
}

function amount(figure) {
  if (!figure) return '–';
  return `${figure.value >= 100 ? figure.value.toFixed(0) : figure.value.toFixed(2)} ${figure.unit}`;
}

function budget({ atMost, atLeast, unit }) {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`;
  return atLeast === undefined ? '' : `≥ ${atLeast} ${unit}`;
}

function verdict(figures) {
  if (figures.every((figure) => budget(figure) === '')) return '';
  return figures.some(isOver) ? 'OVER' : 'ok';
}
