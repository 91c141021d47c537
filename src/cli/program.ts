import type { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { withCommonOptions } from './command.ts';
import { commands, completer, groups } from './commands.ts';
import { FermataCommand } from './fermata-command.ts';
import { keepGiven } from './given-options.ts';

/** Knows all commands by name, but loads only those that are wanted. */
export async function buildProgram(name: string, wanted: (command: string) => boolean): Promise<Command> {
  const program = new FermataCommand(name)
    .description('Coding agents hold where they are unsure; you answer wherever you are; they go on.')
    .usage('COMMAND [options]')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_, action) => keepGiven(action.opts()))
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trimEnd() })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'fermata: ')),
    })
    .addHelpText(
      'after',
      `
Example:
  ${name} ask "Which database?" -o PostgreSQL -o SQLite    an agent or a script asks, and waits
  ${name} answer                                           you answer, in any terminal

"${name} COMMAND --help" has options and more examples.`,
    );
  program.showHelpAfterError(`See "${name} --help".`);
  for (const entry of inGroups()) {
    const command = program.command(entry.name).summary(entry.summary).helpGroup(entry.group);
    if (wanted(entry.name)) complete(command, name, await entry.load());
  }
  if (wanted(completer.name)) {
    (await completer.load()).define(program.command(completer.name, { hidden: true }), name);
  }
  return program;
}

const argumentsOf = (command: Command) => command.usage().replace('[options] ', '').replace('[options]', '');

function inGroups() {
  return groups.flatMap((group) => commands.filter((entry) => entry.group === group));
}

function complete(command: Command, name: string, module: { define(command: Command): void }): void {
  module.define(command);
  for (const each of [command, ...command.commands]) {
    const path = each === command ? command.name() : `${command.name()} ${each.name()}`;
    const below = each.commands.map((one) => one.name()).join(', ');
    const has = below === '' ? '' : `It has ${below}. `;
    each.helpCommand(false).showHelpAfterError(`${has}See "${name} ${path} --help".`);
    if (each.commands.length === 0) withCommonOptions(each);
    else each.addHelpText('after', `\n"${name} ${path} COMMAND --help" has the options of each.`);
  }
}
