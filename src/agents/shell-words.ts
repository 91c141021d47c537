/**
 * Splits a command line into words if a shell would expand nothing in it: plain words and quoted text. Returns undefined
 * if it contains anything else, such as `;`, `$(…)`, a redirection or a line break.
 */
export function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  const part = /([ \t]+)|([\w@%+=:,./-]+)|'([^']*)'|"((?:[^"$`\\!]|\\["\\])*)"/y;
  let word: string | undefined;
  while (part.lastIndex < command.length) {
    const match = part.exec(command);
    if (!match) return undefined;
    const [, space, plain, single, double] = match;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (plain ?? single ?? double?.replace(/\\(["\\])/g, '$1') ?? '');
  }
  return word === undefined ? words : [...words, word];
}
