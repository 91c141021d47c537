import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { print, printJson } from '../output.ts';

interface WithdrawOptions extends CommonOptions {
  reason: string;
}

export function define(command: Command): void {
  command
    .description(
      'Take a question back: nobody needs to answer it any more, and an answer that comes later is refused.',
    )
    .argument('<id>', 'the question (the beginning of its id is enough)')
    .option('--reason <text>', 'why it is no longer needed', 'no longer needed')
    .addHelpText('after', '\nExample:\n  fermata withdraw n-4k7 --reason "the plan changed"')
    .action(async (id: string, options: WithdrawOptions) => {
      await withKnownLedger(options, async ({ ledger, by }) => {
        const { projectId, id: whole } = await ledger.notifications.find(id);
        const { notification, repeat } = await ledger.notifications.withdraw(
          projectId,
          whole,
          options.reason,
          by('command'),
        );
        if (options.format === 'json') await printJson({ notification, repeat });
        else await print(`Withdrawn: ${whole}`);
      });
    });
}
