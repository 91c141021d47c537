import { visible } from '../schema/visible.ts';

/** Data as readable lines: `name: value`, with nested values indented below. */
export function outline(data: object): string[] {
  return entriesOf(data).flatMap(([name, value]) => field(name.replaceAll('_', ' '), value));
}

function field(name: string, value: unknown): string[] {
  if (isEmpty(value)) return [`${name}: none`];
  if (Array.isArray(value)) return [`${name}:`, ...indented(value.flatMap(item))];
  if (typeof value === 'object' && value !== null) return [`${name}:`, ...indented(outline(value))];
  const [first = '', ...rest] = scalar(value);
  return rest.length === 0 ? [`${name}: ${first}`] : [`${name}:`, ...indented([first, ...rest])];
}

function item(value: unknown): string[] {
  const isData = typeof value === 'object' && value !== null;
  const [first = '', ...rest] = isData ? outline(value) : scalar(value);
  return [`- ${first}`, ...indented(rest)];
}

function scalar(value: unknown): string[] {
  if (value === null || value === undefined) return ['–'];
  if (typeof value === 'boolean') return [value ? 'yes' : 'no'];
  return visible(String(value)).trimEnd().split('\n');
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && entriesOf(value).length === 0;
const entriesOf = (data: object) => Object.entries(data).filter(([, value]) => value !== undefined);
const indented = (lines: string[]) => lines.map((line) => (line === '' ? '' : `  ${line}`));
