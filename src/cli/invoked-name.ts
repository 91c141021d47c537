import type { Command } from 'commander';

/** The name under which the program was called: `fermata`, or one of its other names. */
const invokedName = (command: Command): string =>
  command.parent ? invokedName(command.parent) : command.name();

/**
 * The name in texts for agents: the one the program was called by. rslph has its own `plan`, so `rslph plan read-prompt`
 * would plan the idea "read-prompt".
 */
export function nameForAgents(command: Command): string {
  const name = invokedName(command);
  return name === 'rslph' ? 'fermata' : name;
}
