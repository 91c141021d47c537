/** A program with its arguments. */
export interface SimpleCommand {
  words: string[];
}

export type Operator = '&&' | '||' | ';' | '|' | '&';

export interface CommandLine {
  commands: (SimpleCommand | { group: CommandLine })[];
  /** One less than the commands; a trailing `&` or `;` has its own entry. */
  operators: Operator[];
}

const MAX_LENGTH = 20_000;
const DEEPEST = 20;
const token =
  /\s+|#[^\n]*|&&|\|\||;;?|\|&?|[()]|(?:\d*[<>]{1,3}&?\s*(?:\d+|-|(?:"[^"]*"|'[^']*'|[^\s;&|()"'])+))|&>>?\s*\S+|&|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^()]*\)|\\.|[^\s;&|()<>"'\\])+|./gsy;

/** Splits a command line like a shell; undefined if it is more than a list of commands. */
export function readCommandLine(text: string): CommandLine | undefined {
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
