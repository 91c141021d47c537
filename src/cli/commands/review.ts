import type { Command } from 'commander';
import { withProgramOptions } from '../agents/choose.ts';
import type { ReviewOptions } from '../plan/review.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';

export function define(command: Command): void {
  const review = asPlanCommand(command)
    .description(
      'Let another agent review what was made in a phase: the diff of its worktree, the criteria, the walkthroughs.',
    )
    .argument('<number>', 'the phase, by its number')
    .argument('[variant]', 'which variant of it, by its letter')
    .option('--plan <dir>', 'the folder of the plan (default: the one of this feature)')
    .option('--agent <name>', 'who reviews: gemini, claude, codex, scripted, or command for any program');
  withProgramOptions(review)
    .option('--timeout <duration>', 'how long the reviewer may work', '15m')
    .addHelpText(
      'after',
      `
Examples:
  fermata review 2 A
  fermata review 2 --agent codex

It prints {"status":"success","data":{"verdict":"passed"|"changes",…}}. An answer that cannot be read is an error.`,
    )
    .action((number: string, variant: string | undefined, options: ReviewOptions) =>
      planCommand(async () => (await import('../plan/review.ts')).review(number, variant, options)),
    );
}
