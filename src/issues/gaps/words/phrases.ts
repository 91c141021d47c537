/** Chinese, Japanese and Korean put no spaces between words. */
export const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The lower-case letters of all scripts: everything except symbols, Latin capitals and surrogates. */
const LETTERS =
  'a-z\\xaa\\xb5\\xba\\xdf-\\xf6\\xf8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufaff\\uff10-\\uff19\\uff41-\\uff5a';

/**
 * One pattern for many lower-case phrases, separated by `;` or line breaks: whole words if the script uses spaces. Each
 * phrase is a regular expression in which a space is any white space. Quantifiers must be bounded, so that no text is
 * slow to match.
 */
export function phrases(texts: TemplateStringsArray, ...parts: string[]): RegExp {
  const all = String.raw(texts, ...parts)
    .split(/[;\n]/)
    .map((phrase) =>
      phrase.trim().replaceAll('[- ]', '[-\\s]').replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}'),
    )
    .filter((phrase) => phrase !== '');
  const alternatives = [
    wholeWords(all.filter((phrase) => !unspaced.test(phrase))),
    ...all.filter((phrase) => unspaced.test(phrase)),
  ].filter((part) => part !== '');
  const pattern = alternatives.join('|');
  return inAnyCase(pattern.replaceAll('[\\p{L}', `[${LETTERS}`).replaceAll('\\p{L}', `[${LETTERS}]`));
}

/** The same phrases, to find all occurrences. */
export function everywhere(pattern: RegExp): RegExp {
  return inAnyCase(pattern.source, 'g');
}

function inAnyCase(source: string, flags = ''): RegExp {
  const pattern = new InAnyCase(source, flags);
  uncompiled.push(pattern);
  return pattern;
}

const uncompiled: RegExp[] = [];
/** V8 compiles a pattern to machine code if its first use is on a text of at least this length. */
const LONG = ' '.repeat(1000);

/** Call this before the patterns are used. On a short text V8 would interpret each of them first, which is slower to prepare. */
export function compilePhrases(): void {
  for (const pattern of uncompiled.splice(0)) pattern.test(LONG);
}

/**
 * Matches text in any case. The flags `i` and `u` and the class `\p{L}` do nearly the same, but V8 takes ten times as
 * long to compile patterns of this size with them.
 */
class InAnyCase extends RegExp {
  /** V8 runs a plain RegExp many times faster than one with overridden methods. */
  readonly #plain = new RegExp(this.source);

  override test(text: string): boolean {
    return this.#plain.test(inLowerCase(text));
  }

  override exec(text: string): RegExpExecArray | null {
    const found = this.global ? super.exec(inLowerCase(text)) : this.#plain.exec(inLowerCase(text));
    if (found) found[0] = text.slice(found.index, found.index + found[0].length);
    return found;
  }
}

let last = { text: '', lower: '' };

/** Letters whose lower case is longer stay as they are, so that places in the text stay the same. */
function inLowerCase(text: string): string {
  if (last.text !== text) {
    const lower = text.replace(/\p{Lu}/gu, (letter) => {
      const small = letter.toLowerCase();
      return small.length === letter.length ? small : letter;
    });
    last = { text, lower };
  }
  return last.lower;
}

/**
 * Checks the first character of a phrase first. Without this check, V8 ran these patterns about thirty times slower on
 * text without words late in a long process (we do not know why); with it, about three times slower.
 */
function wholeWords(list: string[]): string {
  return list.length === 0 ? '' : `(?<![\\p{L}\\d_])(?=[\\p{L}\\d'¿/])(?:${list.join('|')})(?![\\p{L}\\d_])`;
}
