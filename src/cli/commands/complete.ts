import type { Command } from 'commander';
import { candidatesFor } from '../completion/candidates.ts';
import { tabFor } from '../completion/tab.ts';
import { buildProgram } from '../program.ts';

/** `fermata complete -- WORD…`: called by the shell's script with what was typed, the last word being completed. */
export function define(command: Command, name: string): void {
  command.argument('[words...]').action(async (words: string[]) => {
    const [first] = words;
    const program = await buildProgram(name, (each) => each === first);
    tabFor(program, await candidatesFor(words)).parse(words);
  });
}
