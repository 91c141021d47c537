/** Someone else's text inside our sentence. */
export const shown = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const MAX_NAMES = 20;

/** `Protocols: a, b and more.` */
export function listNames(names: readonly string[]): string {
  return `Protocols: ${names.slice(0, MAX_NAMES).map(shown).join(', ')}${names.length > MAX_NAMES ? ' and more' : ''}.`;
}
