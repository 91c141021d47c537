/** Settings as INI; an unreadable line counts as none. */
export function parse(text) {
  const lines = text.split('\n').map((line) => /^(\w+) *= *(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1], found[2]]] : [])));
}

export const print = (settings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
