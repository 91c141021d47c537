import type { Command } from 'commander';
import type { Dialect } from '../command-entry.ts';
import { exitCodes, withDraftOptions } from '../commands/draft.ts';
import { type DraftOptions, draft } from '../draft/draft.ts';
import { planInput } from '../draft/progress-input.ts';

/** `rslph plan` turns an idea into a plan with a progress file. */
export const rslph: Dialect = {
  commands: [
    {
      name: 'plan',
      group: 'Work:',
      summary: 'turn an idea into a plan with a progress file',
      load: async () => ({ define }),
    },
  ],
  adapt: () => undefined,
};

function define(command: Command): void {
  withDraftOptions(command)
    .description(
      'Turn an idea into a plan of phases and a progress file (progress.md), as "fermata draft" does. With --adaptive, the agent may ask you questions first.',
    )
    .argument('[input]', 'an idea (text, a file, or - for stdin), a progress file, or the folder of a plan')
    .addHelpText(
      'after',
      `
Examples:
  rslph plan INITIAL.md
  rslph plan --adaptive "A shop for books"
  printf 'Rust\\nPostgreSQL\\n' | rslph plan --adaptive INITIAL.md     one line per question
  rslph plan progress.md          turn a progress file into a plan, without an agent
  rslph plan plans/shop           write the progress file of a plan, with finished tasks checked

Answer in the terminal, on stdin, over the pipe (FERMATA_QA_PIPE=1), or through any other channel (fermata inbox).
${exitCodes}`,
    )
    .action(async (input: string | undefined, options: DraftOptions, self: Command) => {
      if (await planInput(input, options)) return;
      await draft(input, { ...options, progress: true }, self);
    });
}
