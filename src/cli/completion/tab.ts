import { RootCommand, type Command as TabCommand } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';

export interface Candidate {
  value: string;
  description: string;
}

/** The possible values of an argument or option, by command and name: `answer [id]`, `tasks close <id>`, `config set <name>`. */
export type Candidates = Record<string, Candidate[]>;

/** Describes our commands to the library that finds what matches the typed text. */
export function tabFor(program: Command, candidates: Candidates): RootCommand {
  const root = new RootCommand();
  describeOptions(root, program, candidates);
  for (const command of program.createHelp().visibleCommands(program))
    describe(root, command, '', candidates);
  return root;
}

function describe(root: RootCommand, command: Command, before: string, candidates: Candidates): void {
  const path = `${before}${command.name()}`;
  const tab = root.command(path, command.summary() || command.description());
  describeOptions(tab, command, candidates, path);
  for (const argument of command.createHelp().visibleArguments(command)) {
    const choices = (argument.argChoices ?? []).map(plain);
    const values = [...choices, ...(candidates[`${path} <${argument.name()}>`] ?? [])];
    tab.argument(argument.name(), (complete) => offer(values, complete), argument.variadic);
  }
  for (const each of command.createHelp().visibleCommands(command))
    describe(root, each, `${path} `, candidates);
}

function describeOptions(tab: TabCommand, command: Command, candidates: Candidates, path = ''): void {
  for (const option of command.createHelp().visibleOptions(command)) {
    const name = option.long?.slice(2);
    if (!name) continue;
    if (!takesValue(option)) {
      tab.option(name, option.description, option.short?.slice(1));
      continue;
    }
    const values = [...(option.argChoices ?? []).map(plain), ...(candidates[`${path} --${name}`] ?? [])];
    tab.option(name, option.description, (complete) => offer(values, complete), option.short?.slice(1));
  }
}

const takesValue = (option: Option) => option.required || option.optional;
const plain = (value: string): Candidate => ({ value, description: '' });

function offer(values: Candidate[], complete: (value: string, description: string) => void): void {
  for (const { value, description } of values) complete(value, description);
}
