import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandFirst } from '../../src/cli/leading-options.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { splitCommands } from './support/shell-lines.ts';

const program = await buildProgram('fermata', () => true);
const commands = program.commands
  .filter((command) => !['complete', 'hook'].includes(command.name()))
  .flatMap((command) => [command, ...command.commands]);

describe('the help of each command', () => {
  it.each(commands.map((command) => [nameOf(command), command] as const))(
    '%s has an example that is about it and that the program understands',
    async (name, command) => {
      const examples = examplesIn(helpOf(command));
      expect(examples.length, 'add one with addHelpText').toBeGreaterThan(0);
      expect(examples.some((words) => words.slice(1).join(' ').startsWith(name))).toBe(true);
      for (const words of examples) await expect(parsed(words), words.join(' ')).resolves.toBe('understood');
    },
  );
});

function nameOf(command: Command): string {
  return command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) });
  command.outputHelp();
  return text;
}

/** The commands under `Example:` or `Examples:`, without the remarks beside them. */
function examplesIn(help: string): string[][] {
  const [, block = ''] = /^Examples?:\n((?: {2}.*\n?)+)/m.exec(help) ?? [];
  const lines = block.split('\n').map((line) => line.trim().replace(/ {2,}\S.*$/, ''));
  return lines.flatMap(splitCommands).filter(([first]) => first === 'fermata');
}

/** Parses the words as the program does, and stops where the command would begin. */
async function parsed([, ...words]: string[]): Promise<string> {
  const fresh = await buildProgram('fermata', () => true);
  const refuse = () => {
    throw new Error('understood');
  };
  for (const each of [fresh, ...fresh.commands, ...fresh.commands.flatMap(({ commands: below }) => below)]) {
    each.exitOverride().configureOutput({ writeErr: () => undefined });
    if (each.commands.length === 0) each.action(refuse);
  }
  return fresh.parseAsync(commandFirst(words), { from: 'user' }).then(
    () => 'nothing was called',
    (error: Error) => error.message,
  );
}
