import { type CommandLine, type Operator, readCommandLine, type SimpleCommand } from './command-line.ts';

/** Whether it can exit with anything but success. */
export function canFail(text: string): boolean {
  const line = readCommandLine(text);
  return line === undefined || lineCanFail(line, false);
}

function lineCanFail(line: CommandLine, strict: boolean): boolean {
  let stops = strict;
  let pipefail = false;
  let certain = false;
  let result = false;
  for (const { operator, commands } of pipelines(line)) {
    const fails = commands.map((command, index) =>
      'group' in command ? lineCanFail(command.group, stops) : commandCanFail(command, index > 0),
    );
    const failed = pipefail ? fails.includes(true) : (fails.at(-1) ?? false);
    if (operator === '&&') result = result || failed;
    else if (operator === '||') result = result && failed;
    else {
      // With `set -e` the line ends at the first failing command.
      certain ||= stops && result && operator !== '&';
      result = failed;
    }
    const [first] = commands;
    if (first && 'words' in first && first.words[0] === 'set') {
      stops ||= first.words.some((word) => /^-\w*e/.test(word));
      pipefail ||= first.words.includes('pipefail');
    }
  }
  const inBackground = line.operators.length === line.commands.length;
  return certain || (result && !inBackground);
}

/** A pipe binds tighter than everything else. */
function pipelines({
  commands,
  operators,
}: CommandLine): { operator: Operator | undefined; commands: CommandLine['commands'] }[] {
  const found: { operator: Operator | undefined; commands: CommandLine['commands'] }[] = [];
  commands.forEach((command, index) => {
    const operator = operators[index - 1];
    if (operator === '|') found.at(-1)?.commands.push(command);
    else found.push({ operator, commands: [command] });
  });
  return found;
}

/** Programs that always succeed; in a pipe, also those that only pass on their input. */
const alwaysSucceeds = new Set(['true', ':', 'echo', 'printf', 'pwd', 'date', 'set', 'export']);
const passOn = new Set([
  'tee',
  'cat',
  'head',
  'tail',
  'less',
  'more',
  'sort',
  'uniq',
  'wc',
  'tr',
  'sed',
  'cut',
]);

function commandCanFail({ words }: SimpleCommand, inPipe: boolean): boolean {
  const [written = '', ...rest] = program(words).map(unquoted);
  const name = written.replace(/^(?:\/usr)?\/bin\//, '');
  if (name === '') return false;
  if (name === 'exit' || name === 'return') return rest[0] !== '0';
  if ((name === 'bash' || name === 'sh') && rest.at(-2)?.startsWith('-') && rest.at(-2)?.endsWith('c'))
    return canFail(rest.at(-1) ?? '');
  if (words[0] === '!') return true;
  if (alwaysSucceeds.has(name)) return false;
  return !(inPipe && passOn.has(name));
}

function withoutAssignments(words: string[]): string[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  return first < 0 ? [] : words.slice(first);
}

function unquoted(word: string): string {
  return /^(["']).*\1$/s.test(word) ? word.slice(1, -1) : word;
}

const builtins = new Set(
  '. : [ alias bg break cd command continue echo eval exec exit export false fg hash jobs kill let local printf pwd read readonly return set shift source test time trap true type ulimit umask unset wait !'.split(
    ' ',
  ),
);
/** Programs that run the command after them. */
const prefixes = new Set(['time', 'exec', 'command', 'nohup', 'env', 'sudo', '!', 'nice', 'xvfb-run']);

/** The commands in a line, without shell built-ins; empty if that is unclear. */
export function programsIn(text: string): SimpleCommand[] {
  const line = readCommandLine(text);
  return line ? commandsOf(line) : [];
}

function commandsOf({ commands }: CommandLine): SimpleCommand[] {
  return commands.flatMap((command) => {
    if ('group' in command) return commandsOf(command.group);
    const words = program(command.words);
    const [name = ''] = words;
    const isPlain = /^[\w./@+~-]+$/.test(name) && !name.startsWith('-');
    return isPlain && !builtins.has(name) ? [{ words }] : [];
  });
}

function program(words: string[]): string[] {
  let rest = withoutAssignments(words);
  while (prefixes.has(rest[0] ?? '')) rest = withoutAssignments(rest.slice(1));
  return rest;
}
