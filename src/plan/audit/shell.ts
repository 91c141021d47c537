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

/** A program with its arguments. */
interface SimpleCommand {
  words: string[];
}

type Operator = '&&' | '||' | ';' | '|' | '&';

interface CommandLine {
  commands: (SimpleCommand | { group: CommandLine })[];
  /** One less than the commands; a trailing `&` or `;` has its own entry. */
  operators: Operator[];
}

const MAX_LENGTH = 20_000;
const DEEPEST = 20;
const token =
  /\s+|#[^\n]*|&&|\|\||;;?|\|&?|[()]|(?:\d*[<>]{1,3}&?\s*(?:\d+|-|(?:"[^"]*"|'[^']*'|[^\s;&|()"'])+))|&>>?\s*\S+|&|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^()]*\)|\\.|[^\s;&|()<>"'\\])+|./gsy;

/** Splits a command line like a shell; undefined if it is more than a list of commands. */
function readCommandLine(text: string): CommandLine | undefined {
  if (/^[\w./@+~=:,-]+(?: +[\w./@+~=:,-]+)*$/.test(text)) {
    const words = text.split(/ +/);
    return compound.has(words[0] ?? '') ? undefined : { commands: [{ words }], operators: [] };
  }
  if (text.length > MAX_LENGTH) return undefined;
  const tokens = [...text.matchAll(token)].map(([match]) => match).filter(isSignificant);
  if (tokens.length === 0) return { commands: [], operators: [] };
  const reader = { tokens, at: 0 };
  const line = readLine(reader, 0);
  return line && reader.at === tokens.length ? line : undefined;
}

function isSignificant(text: string): boolean {
  return !(/^[ \t]+$/.test(text) || text.startsWith('#') || /^(?:\d*[<>]|&>)/.test(text));
}

const ends = new Map([
  ['(', ')'],
  ['{', '}'],
]);

/** Reads to the end of the text, or to the mark that ends a group. */
function readLine(
  reader: { tokens: string[]; at: number },
  depth: number,
  end?: string,
): CommandLine | undefined {
  const line: CommandLine = { commands: [], operators: [] };
  let words: string[] = [];
  const close = () => {
    if (words.length > 0) line.commands.push({ words });
    words = [];
  };
  for (; reader.at < reader.tokens.length; reader.at++) {
    const text = reader.tokens[reader.at] ?? '';
    const operator = operatorOf(text);
    if (operator) {
      close();
      // Empty lines and a trailing `;` do nothing.
      if (line.commands.length > line.operators.length) line.operators.push(operator);
    } else if (text === end && (end === ')' || words.length === 0)) break;
    else if (text === '(' || (text === '{' && words.length === 0)) {
      if (words.length > 0 || depth > DEEPEST) return undefined;
      reader.at += 1;
      const group = readLine(reader, depth + 1, ends.get(text));
      if (!group || reader.tokens[reader.at] !== ends.get(text)) return undefined;
      line.commands.push({ group });
    } else if (text === ')') return undefined;
    else words.push(text);
  }
  close();
  if (line.operators.length === line.commands.length && line.operators.at(-1) !== '&') line.operators.pop();
  return line.commands.length > 0 && !line.commands.some(isCompound) ? line : undefined;
}

function operatorOf(text: string): Operator | undefined {
  if (text === '&&' || text === '||' || text === '|' || text === '&') return text;
  if (text === '|&') return '|';
  return text === ';' || /^\s*\n\s*$/.test(text) ? ';' : undefined;
}

const compound = new Set(
  'if then else elif fi for while until do done case esac } function [[ select'.split(' '),
);

function isCompound(command: CommandLine['commands'][number]): boolean {
  return 'words' in command && compound.has(command.words[0] ?? '');
}
