import type { Command } from 'commander';
import { candidatesFor } from '../completion/candidates.ts';
import { tabFor } from '../completion/tab.ts';
import { splitOptions } from '../leading-options.ts';

/** `fermata complete -- WORD…`: called by the shell's script with what was typed; it completes the last word. */
export function define(
  command: Command,
  name: string,
  buildProgram: (name: string, wanted: (command: string) => boolean) => Promise<Command>,
): void {
  command.argument('[words...]').action(async (words: string[]) => {
    const [, fromCommand] = splitOptions(words);
    const typed = fromCommand.length > 0 ? fromCommand : words;
    const program = await buildProgram(name, (each) => each === typed[0]);
    tabFor(program, await candidatesFor(typed)).parse(typed);
  });
}
