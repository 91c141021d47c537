/** A block of code or logs whose end was not read yet. */
export interface OpenFence {
  /** What ends it. */
  mark: string;
  language: string;
  at: number;
  lines: string[];
}

const fenceLine = /^\s{0,12}(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s?)?(`{3,}|~{3,})\s*([^\s`]*)/;
/** The same in HTML. */
const preLine = /^\s{0,12}<pre(?:\s[^>]{0,80})?>(?:<code[^>]{0,80}>)?\s*$/i;
const PRE_END = '</pre>';

/** The block that a line opens, if it opens one. */
export function openFence(line: string, at: number): OpenFence | undefined {
  const [, mark, language = ''] = fenceLine.exec(line) ?? [];
  if (mark) return { mark, language: language.toLowerCase(), at, lines: [] };
  return preLine.test(line) ? { mark: PRE_END, language: '', at, lines: [] } : undefined;
}

export function closesFence({ mark }: OpenFence, line: string): boolean {
  const end = line.trim();
  return mark === PRE_END ? end.endsWith(PRE_END) : end.startsWith(mark) && /^[`~]+$/.test(end);
}
