import { order, usual } from './csv-format.js';

/** The list as CSV: a heading, then one line for each entry. */
export function toCsv(entries, separator = usual) {
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const sorted = entries.toSorted((a, b) => (a[order] > b[order] ? 1 : -1));
  const lines = sorted.map((entry) => columns.map((column) => entry[column] ?? ''));
  return [columns, ...lines]
    .map((cells) => cells.map((cell) => quoted(String(cell), separator)).join(separator))
    .join('\n');
}

function quoted(text, separator) {
  const needed = text.includes(separator) || /["\n]/.test(text);
  return needed ? `"${text.replaceAll('"', '""')}"` : text;
}
