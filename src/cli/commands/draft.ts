import type { Command } from 'commander';
import { withAgentOptions, withTimeOptions } from '../agents/agent-options.ts';
import type { DraftOptions } from '../draft/draft.ts';
import { withQueueOptions } from '../queue-options.ts';
import { withTrustOption } from '../trust/trust-options.ts';

export function define(command: Command): void {
  withDraftOptions(command)
    .description(
      'Turn an idea into a plan of phases. With --adaptive, the agent asks you what it needs to know; without it, it makes assumptions.',
    )
    .argument('[idea]', 'the idea: text, a file, or - for stdin')
    .addHelpText(
      'after',
      `
Examples:
  fermata draft "Add a login page for customers" --adaptive
  fermata draft idea.md --agent codex --output plans/login
  fermata draft --resume
  fermata draft "Add a search" --adaptive --queue

A question can be answered here or on any other channel (fermata inbox, fermata answer).
Fermata audits the plan and sends the findings back to the agent, which has three attempts.
${exitCodes}`,
    )
    .action(async (idea: string | undefined, options: DraftOptions, self: Command) => {
      await (await import('../draft/draft.ts')).draft(idea, options, self);
    });
}

/** The options of every command that has an agent write a plan from an idea. */
export function withDraftOptions(command: Command): Command {
  const told = withTrustOption(withAgentOptions(command))
    .option('--adaptive', 'let the agent ask about decisions that are expensive to get wrong')
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--resume [id]',
      'resume a draft that was interrupted, is waiting, or stopped because the agent or its model failed (default: the newest)',
    );
  return withQueueOptions(withTimeOptions(told), 'the draft').option(
    '--no-prompt',
    'only wait for answers from elsewhere, do not ask in this terminal',
  );
}

export const exitCodes =
  'Exit codes: 0 written, 1 stopped or no attempt passed the audit, 3 waiting for an answer, 4 the agent or its model failed, 130 interrupted.\nAfter 3, 4 and 130, --resume continues the same session.';
