export const MARK = '[DEBUG-TEMP]';
/** A marker, or something probably meant as one: different case, different blanks, `_` for `-`. */
export const NEAR_MARK = /\[ ?debug[-_ ]?temp ?\]/i;

export interface Cleaned {
  /** The same bytes without the lines that were removed. */
  text: string;
  markers: number;
  lines: number;
  /** Near misses: other text on the line, another spelling or comment sign. */
  left: { line: number; text: string }[];
  /** Lines of markers whose block had no blank line after it and therefore extended to the end of the file. */
  unended: number[];
}

const BOM = '\xef\xbb\xbf';
/** Exactly as the protocol specifies it; only indentation and trailing blanks may differ. */
const marker = /^[ \t]*(?:\/\/|#) \[DEBUG-TEMP\][ \t]*\r?$/;
const blank = /^[ \t\v\f\r]*$/;

/**
 * Removes each line that is only a marker, with all lines below it up to the first blank one (DBG-1). `text` has one
 * character per byte (latin1), so that all other bytes stay unchanged in any encoding.
 */
export function removeBlocks(text: string): Cleaned {
  const start = text.startsWith(BOM) ? BOM.length : 0;
  const lines = text.slice(start).split('\n');
  const last = lines.length - 1;
  const kept: string[] = [];
  const cleaned: Cleaned = { text, markers: 0, lines: 0, left: [], unended: [] };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!marker.test(line)) {
      if (NEAR_MARK.test(line)) cleaned.left.push({ line: at + 1, text: line.trim() });
      kept.push(line);
      continue;
    }
    const end = blockEnd(lines, at);
    const toEnd = end > last;
    // The part after the last line break is not a line; it stays the end of the file.
    const final = toEnd && lines[last] === '';
    if (toEnd) cleaned.unended.push(at + 1);
    for (let below = at; below < end; below++) if (marker.test(lines[below] ?? '')) cleaned.markers++;
    cleaned.lines += end - at - (final ? 1 : 0);
    if (final) kept.push('');
    // Without a final line break, the one before the block is removed too, including the first half of a CRLF.
    else if (toEnd && kept.length > 0) kept.push((kept.pop() ?? '').replace(/\r$/, ''));
    at = end - 1;
  }
  if (cleaned.markers > 0) cleaned.text = text.slice(0, start) + kept.join('\n');
  return cleaned;
}

/** The index of the first blank line after the marker, or one past the last line. */
function blockEnd(lines: string[], from: number): number {
  for (let at = from + 1; at < lines.length; at++) {
    const isEndOfFile = at === lines.length - 1 && lines[at] === '';
    if (blank.test(lines[at] ?? '') && !isEndOfFile) return at;
  }
  return lines.length;
}
