import { usual } from './separator.js';

/** The list as CSV: a heading, then one line for each entry. */
export function toCsv(entries, separator = usual) {
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const lines = entries.map((entry) => columns.map((column) => entry[column] ?? ''));
  return [columns, ...lines]
    .map((cells) => cells.map((cell) => quoted(String(cell), separator)).join(separator))
    .join('\n');
}

function quoted(text, separator) {
  const needed = text.includes(separator) || /["\n]/.test(text);
  return needed ? `"${text.replaceAll('"', '""')}"` : text;
}
