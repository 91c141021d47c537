import type { Command } from 'commander';
import { withProgramOptions } from '../agents/agent-options.ts';
import { pathOf } from '../command.ts';
import type { ReviewOptions } from '../plan/review.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withQueueOptions } from '../queue-options.ts';
import { withTrustOption } from '../trust/trust-options.ts';

export function define(command: Command): void {
  const path = pathOf(command);
  const review = withTrustOption(asPlanCommand(command))
    .description(
      'Have another agent review the work of a phase: the diff of its worktree, the criteria and the walkthroughs.',
    )
    .argument('<number>', 'the number of the phase')
    .argument('[variant]', 'the letter of its variant')
    .option('--plan <dir>', "the plan's folder (default: the plan of this feature)")
    .option(
      '--agent <name>',
      'the reviewer: claude, codex, gemini, scripted, or command for any program (default: the configured reviewer, else an installed agent that did not write the code, else a new session of the one that did)',
    );
  withQueueOptions(withProgramOptions(review), 'the review')
    .option('--timeout <duration>', 'how long the reviewer may work', '15m')
    .addHelpText(
      'after',
      `
Examples:
  fermata ${path} 2 A
  fermata ${path} 2 --agent codex
  fermata ${path} 2 --queue

The verdict is "passed" or "changes". Outside a terminal, or with --format json, it prints
{"status":"success","data":{"verdict",…}}. An unreadable answer is an error.`,
    )
    .action((number: string, variant: string | undefined, options: ReviewOptions) =>
      planCommand(async () => (await import('../plan/review.ts')).review(number, variant, options)),
    );
}
