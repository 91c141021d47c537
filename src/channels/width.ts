/** Terminal columns: 2 for East Asian wide letters and emoji, 0 for combining characters. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text)
    columns += /^[\p{M}\u200d]$/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;
