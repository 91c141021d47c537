import { plainText } from './inline.ts';
import type { Cell } from './table-row.ts';

/** Which cell of a row is which; -1 if there is none. */
export interface Columns {
  id: number;
  title: number;
  focus: number;
  risk: number;
  status: number;
  file: number;
  names: string[];
}

const columnNames = {
  id: /^(?:#|id|no\.?|nr\.?|number|phase ?(?:#|id|no\.?|nr\.?|number))$/,
  title: /^(?:title|name|phase (?:title|name))$/,
  focus: /^focus$/,
  risk: /^risks?(?: level)?$/,
  status: /^(?:status|state)$/,
  file: /^(?:file|path|link|plan|document)$/,
} as const;

/** Which column is which; undefined if it is not a table of phases. */
export function readColumns(heading: Cell[]): Columns | undefined {
  const names = heading.map(({ text }) => plainText(text));
  const lower = names.map((name) => name.toLowerCase().replace(/\s+/g, ' '));
  const at = (pattern: RegExp) => lower.findIndex((name) => pattern.test(name));
  const phase = lower.findIndex((name) => name === 'phase' || name === 'phases');
  const id = at(columnNames.id) >= 0 ? at(columnNames.id) : phase;
  const title = at(columnNames.title) >= 0 ? at(columnNames.title) : phase;
  if (id < 0 || title < 0) return undefined;
  const { focus, risk, status, file } = columnNames;
  return { id, title, focus: at(focus), risk: at(risk), status: at(status), file: at(file), names };
}
