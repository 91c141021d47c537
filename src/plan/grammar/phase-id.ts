/** Digits, dotted (`2.1`) or with a letter (`2a`, and `2-A` for a variant), as a piece of a regular expression. */
export const ID = String.raw`\d+(?:\.\d+)*(?:-?[A-Za-z](?!\w))?`;

/** The fast path for nearly all ids. */
const number = /^[1-9]\d*$/;
const whole = new RegExp(`^(?:phase\\s+)?(${ID})$`, 'i');
const title = new RegExp(`^(?:.*\\W)?phase\\s+(${ID})(?:\\s*[:.–—-]\\s*|\\s+)(.*)$`, 'i');
const alone = new RegExp(`^(?:.*\\W)?phase\\s+(${ID})$`, 'i');

/** The id in a cell such as `2.1`, `2a` or `Phase 3`. */
export function readId(text: string): string | undefined {
  return number.test(text) ? text : whole.exec(text)?.[1];
}

/** Id and title of `Phase 2: Title`, with or without leading words. */
export function readPhaseTitle(text: string): { id: string; title: string | null } | undefined {
  const line = text.slice(0, 1000).trim();
  const found = title.exec(line) ?? alone.exec(line);
  return found?.[1] === undefined ? undefined : { id: found[1], title: found[2]?.trim() || null };
}

/** Ids that mean the same phase have the same key: `02`, `2`; `2a`, `2A`, `2-A`. */
export function idKey(id: string): string {
  if (number.test(id)) return id;
  return id
    .toLowerCase()
    .replace('-', '')
    .replace(/(^|\.)0+(?=\d)/g, '$1');
}
