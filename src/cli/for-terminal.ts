import { unseenCharacters, visible } from '../schema/visible.ts';

/** The colours that we use. No other sequence reaches a terminal, wherever it comes from. */
const ours = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[1239])m)`);

/** The last check before printing: a field that nobody escaped cannot control the terminal or hide anything. */
export function forTerminal(text: string): string {
  return text
    .split(ours)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');
}

/** The same value, with every character that draws nothing as an escape of JSON. */
export function jsonForTerminal(json: string): string {
  return json.replace(unseenCharacters, (character) =>
    Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  );
}

const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
