import type { Issue } from '../../issue.ts';

const TITLE = 80;
const NAMED = 4;

/** `#12 "Crash on start"`, cut. */
export function about({ number, title }: Issue): string {
  return `#${number} "${cut(title.replace(/\s+/g, ' ').trim().replaceAll('"', "'"), TITLE)}"`;
}

/** `#3 "A", #5 "B" and 2 more`. */
export function aboutAll(issues: Issue[]): string {
  const named = issues.slice(0, NAMED).map(about);
  const rest = issues.length - named.length;
  if (rest > 0) return `${named.join(', ')} and ${rest} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
