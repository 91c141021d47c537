import type { Command } from 'commander';

/** The name under which the program was called: `fermata`, or one of the others that it has. */
const invokedName = (command: Command): string =>
  command.parent ? invokedName(command.parent) : command.name();

/**
 * The name that texts for agents use: the one the program was called by. rslph has a `plan` of its own, so that
 * `rslph plan read-prompt` would plan the idea "read-prompt".
 */
export function nameForAgents(command: Command): string {
  const name = invokedName(command);
  return name === 'rslph' ? 'fermata' : name;
}
