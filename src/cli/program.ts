import { type Argument, Command, type ErrorOptions } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { withoutPassword } from '../schema/address.ts';
import { keepGiven } from '../schema/command-line.ts';
import { visible } from '../schema/visible.ts';
import { type CommonOptions, pathOf, withCommonOptions } from './command.ts';
import { type Dialect, groups } from './command-entry.ts';
import { commands, completer, hook } from './commands.ts';
import { refuseBeyondAgent } from './for-agents.ts';

/** Knows all commands by name, but loads only those that are needed. */
export async function buildProgram(name: string, wanted: (command: string) => boolean): Promise<Command> {
  const program = new FermataCommand(name)
    .description('Pause coding agents when they are unsure, answer from anywhere, and let them continue.')
    .usage('COMMAND [options]')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', async (_, action) => {
      const { store, project } = action.opts<CommonOptions>();
      // Hides a password; anyone who gave it knows that it belongs there.
      keepGiven({ store: store && withoutPassword(store), project });
      const folder = process.env.FERMATA_CONFINED_TO;
      if (!folder) return;
      refuseBeyondAgent(action, folder);
      if (readsWork.test(pathOf(action)))
        await (await import('../work/worktrees/receive-work.ts')).receiveWork(folder);
    })
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trimEnd() })
    .configureOutput({
      outputError: (text, write) => write(visible(text.replace(/^error: /, 'fermata: '))),
    })
    .addHelpText(
      'after',
      `
Example:
  ${name} ask "Which database?" -o PostgreSQL -o SQLite    an agent or a script asks, and waits
  ${name} answer                                           you answer, in any terminal

Every command takes --format json, --store PLACE and --project NAME, before or after its name.
"${name} COMMAND --help" prints its options and more examples.`,
    );
  program.showHelpAfterError(`See "${name} --help".`);
  const dialect = await dialectOf(name);
  for (const entry of inGroups(dialect)) {
    const command = program.command(entry.name).summary(entry.summary).helpGroup(entry.group);
    if (wanted(entry.name)) complete(command, name, await entry.load(), dialect);
  }
  if (wanted(completer.name)) {
    (await completer.load()).define(program.command(completer.name, { hidden: true }), name, buildProgram);
  }
  if (wanted(hook.name)) (await hook.load()).define(program.command(hook.name, { hidden: true }));
  return program;
}

const dialects: Record<string, () => Promise<Dialect>> = {
  debussy: async () => (await import('./dialects/debussy.ts')).debussy,
  rslph: async () => (await import('./dialects/rslph.ts')).rslph,
};

async function dialectOf(name: string): Promise<Dialect> {
  return (await dialects[name]?.()) ?? { commands: [], adapt: () => undefined };
}

/** The commands that look at what an agent committed. */
const readsWork = /^(?:gemini|git|plan|review)\b/;

const argumentsOf = (command: Command) => command.usage().replace('[options] ', '').replace('[options]', '');

function inGroups({ commands: own }: Dialect) {
  const names = new Set(own.map((entry) => entry.name));
  const all = [...commands.filter((entry) => !names.has(entry.name)), ...own];
  return groups.flatMap((group) => all.filter((entry) => entry.group === group));
}

function complete(
  command: Command,
  name: string,
  module: { define(command: Command): void },
  dialect: Dialect,
): void {
  module.define(command);
  dialect.adapt(command);
  for (const each of [command, ...command.commands]) {
    const path = each === command ? command.name() : `${command.name()} ${each.name()}`;
    const below = each.commands.map((one) => one.name()).join(', ');
    const has = below === '' ? '' : `It has ${below}. `;
    each.helpCommand(false).showHelpAfterError(`${has}See "${name} ${path} --help".`);
    if (each.commands.length === 0) withCommonOptions(each);
    else each.addHelpText('after', `\n"${name} ${path} COMMAND --help" prints the options of each command.`);
  }
}

const MAX_NAMES = 3;

/** A command whose errors say what would be right. */
class FermataCommand extends Command {
  override createCommand(name?: string): Command {
    return new FermataCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(inOurWords(this, message), options);
  }
}

function inOurWords(command: Command, message: string): string {
  const [, missing] = message.match(/missing required argument '(.*)'$/) ?? [];
  const argument = command.registeredArguments.find((each) => each.name() === missing);
  if (argument) return `${message}: ${meaning(argument)}`;
  const [, unknown] = message.match(/unknown option '([^'=]+)/) ?? [];
  const owners = command.commands.filter(({ options }) =>
    options.some(({ long }) => long && long === unknown),
  );
  if (owners.length > MAX_NAMES) return `${message}\nWrite it after the command.`;
  if (owners.length > 0)
    return `${message}\nWrite it after ${owners.map((each) => each.name()).join(' or ')}.`;
  return message.replace(
    /command-argument value ('.*') is invalid for argument '(.*)'/,
    '$1 is not a valid $2',
  );
}

function meaning({ description, argChoices }: Argument): string {
  return argChoices ? `${description} (${argChoices.join(', ')})` : description;
}
