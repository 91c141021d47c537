/** A text of somebody else inside a sentence of ours. */
export const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const MOST_NAMES = 20;

/** `There are a, b and more.` */
export function listNames(names: readonly string[]): string {
  return `There are ${names.slice(0, MOST_NAMES).map(shown).join(', ')}${names.length > MOST_NAMES ? ' and more' : ''}.`;
}
