/** With more pairs of lines than this, the middle is shown as removed and added instead of being compared. */
const MAX_PAIRS = 4_000_000;
const AROUND = 3;

interface Line {
  mark: ' ' | '-' | '+';
  text: string;
}

/** What changed between two texts, line by line, with a few lines around each change. */
export function lineDiff(before: string, after: string): string[] {
  const lines = compared(before.split('\n'), after.split('\n'));
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ mark }) => mark !== ' ');
  return lines.flatMap(({ mark, text }, at) => {
    if (isNear(at)) return [`${mark}${text}`];
    return at > 0 && isNear(at - 1) && at < lines.length - 1 ? ['…'] : [];
  });
}

function compared(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const same = (texts: string[]) => texts.map((text): Line => ({ mark: ' ', text }));
  return [...same(before.slice(0, start)), ...middle(old, now), ...same(before.slice(before.length - end))];
}

/** Compares by the longest common subsequence. */
function middle(old: string[], now: string[]): Line[] {
  if (old.length * now.length > MAX_PAIRS) {
    return [
      ...old.map((text): Line => ({ mark: '-', text })),
      ...now.map((text): Line => ({ mark: '+', text })),
    ];
  }
  const width = now.length + 1;
  const longest = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      longest[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  for (let row = 0, column = 0; row < old.length || column < now.length; ) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ mark: ' ', text: old[row++] ?? '' });
      column += 1;
    } else if (column === now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: '-', text: old[row++] ?? '' });
    } else lines.push({ mark: '+', text: now[column++] ?? '' });
  }
  return lines;
}
