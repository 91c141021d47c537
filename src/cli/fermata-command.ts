import { type Argument, Command, type ErrorOptions } from 'commander';

const MOST_NAMES = 3;

/** A command that says of wrong use what would be right. */
export class FermataCommand extends Command {
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
  if (owners.length > MOST_NAMES) return `${message}\nWrite it after the command.`;
  if (owners.length > 0)
    return `${message}\nWrite it after ${owners.map((each) => each.name()).join(' or ')}.`;
  return message.replace(/command-argument value ('.*') is invalid for argument '(.*)'/, '$1 is no $2');
}

function meaning({ description, argChoices }: Argument): string {
  return argChoices ? `${description} (${argChoices.join(', ')})` : description;
}
