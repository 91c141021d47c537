/** Characters that draw nothing themselves: controls, formats, fillers, lone surrogates, private and unassigned ones. */
const UNSEEN = String.raw`(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;
const unseen = new RegExp(`^${UNSEEN}$`, 'u');
/** An emoji with its selector, marks that combine, or a character that draws nothing. */
const found = new RegExp(String.raw`(?!\p{C})\p{Extended_Pictographic}\uFE0F|(\p{M}+)|${UNSEEN}`, 'gu');
const plain = /^[\x20-\x7e\n\t]*$/;
/** More marks on one letter would cover the lines around it. */
const MAX_MARKS = 4;

/**
 * Text of an agent or a repository as a terminal or a page may show it: no character takes effect, and none disappears.
 * ESC becomes `␛`, U+202E becomes `⟨U+202E⟩`. Tabs and newlines stay. Text that was made visible stays as it is.
 */
export function visible(text: string): string {
  return plain.test(text) ? text : replaceUnseen(text.replaceAll('\r\n', '\n'), drawn);
}

/** JSON with the same value, in which each character that `visible` would draw is an escape. */
export function visibleJson(json: string): string {
  return plain.test(json) ? json : replaceUnseen(json, escaped);
}

function replaceUnseen(text: string, replace: (character: string) => string): string {
  return text.replace(found, (match: string, marks: string | undefined, at: number, whole: string) => {
    if (marks !== undefined) return visibleMarks(marks, characterBefore(whole, at), replace);
    return match.endsWith('\uFE0F') && match !== '\uFE0F' ? match : replace(match);
  });
}

/** Like `visible`, for sentences on a page: it keeps the joiners and direction marks that many scripts need. */
export function visibleProse(text: string): string {
  return visible(text).replace(/⟨U\+(00AD|200[CDEF]|061C)⟩/g, (_, code: string) => fromCode(code));
}

/** A character as a visible sign. */
export function drawn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

const escaped = (character: string) =>
  character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Marks combine with the letter before them. Without a letter, or if there are too many, they are drawn alone. */
function visibleMarks(marks: string, before: string, replace: (character: string) => string): string {
  const hasLetter = before !== '' && !/\s/.test(before) && !unseen.test(before);
  let room = hasLetter ? MAX_MARKS : 0;
  return [...marks].map((mark) => (!unseen.test(mark) && room-- > 0 ? mark : replace(mark))).join('');
}

function characterBefore(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
}

const fromCode = (code: string) => String.fromCodePoint(Number.parseInt(code, 16));
