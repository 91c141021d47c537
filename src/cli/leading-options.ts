import { families } from '../schema/command-line.ts';

const takesValue = new Set(['--format', '--store', '--project']);
const isSwitch = new Set(['--json', '--debug']);

/** Moves common options after the command they belong to: `--format json tasks list` becomes `tasks list --format json`. */
export function commandFirst(argv: readonly string[]): string[] {
  const [before, [name, ...rest]] = splitOptions(argv);
  if (name === undefined) return [];
  if (name === 'help') return [...rest, '--help'];
  const [between, words] = families.includes(name) ? splitOptions(rest) : [[], rest];
  const given = [...before, ...between];
  if (given.length === 0) return [name, ...words];
  const below = families.includes(name) && words[0]?.startsWith('-') === false ? words.slice(0, 1) : [];
  return [name, ...below, ...given, ...words.slice(below.length)];
}

/** The leading common options, and the words after them. */
export function splitOptions(words: readonly string[]): [string[], string[]] {
  let count = 0;
  for (let word = words[count]; word !== undefined; word = words[count]) {
    if (takesValue.has(word)) count += 2;
    else if (isSwitch.has(word) || takesValue.has(word.split('=')[0] ?? '')) count += 1;
    else break;
  }
  return [words.slice(0, count), words.slice(count)];
}
