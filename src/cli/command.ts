import { type Command, Option } from 'commander';
import { didYouMean } from '../config/near.ts';
import { FermataError } from '../schema/error.ts';

/** The options that every command has. */
export interface CommonOptions {
  format: 'text' | 'json';
  json?: true;
  store?: string;
  project?: string;
  debug?: true;
}

export function withCommonOptions(command: Command): Command {
  const options = [
    new Option('--format <format>', 'text for people, json for programs')
      .choices(['text', 'json'])
      .default('text'),
    new Option('--json', 'the same as --format json').implies({ format: 'json' }),
    new Option('--store <place>', 'the ledger: a file, or postgres://…'),
    new Option('--project <name>', "use another project instead of this folder's"),
    new Option('--debug', 'show where an error came from'),
  ];
  const own = new Set(command.options.map((option) => option.long));
  for (const option of options) {
    if (!own.has(option.long)) command.addOption(option.helpGroup('Common options:'));
  }
  return command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Common options:'));
}

/** What a person types to call it: `plan show`. */
export function pathOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? `${pathOf(above)} ${command.name()}` : command.name();
}

/** For options that may be repeated. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

export function wholeNumber(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    const why = Number.isNaN(number) ? 'not a whole number' : number < least ? 'too small' : 'too large';
    const range =
      most < Number.MAX_SAFE_INTEGER ? `must be from ${least} to ${most}` : `must be at least ${least}`;
    throw new FermataError('invalid', `${what}: "${text}" is ${why}. It ${range}.`);
  };
}

/** For the default subcommand of `parent`, which would take a mistyped subcommand for its argument. */
export function refuseStray(parent: Command, words: string[]): void {
  const [word] = words;
  if (word === undefined) return;
  const names = parent.commands.map((command) => command.name());
  throw new FermataError(
    'invalid',
    `"${parent.name()}" has no command "${word}".${didYouMean(word, names)} It has ${names.join(', ')}.`,
  );
}
