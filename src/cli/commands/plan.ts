import { type Command, Option } from 'commander';
import { templateNames } from '../../planning/templates/phase-templates.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { defineAgentCommands } from '../plan/agent-commands.ts';
import type { DecomposeOptions } from '../plan/decompose.ts';
import type { InitOptions } from '../plan/init.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withRoleOptions } from '../roles/role-options.ts';
import { define as defineProtocol } from './protocol.ts';

const MOST_PHASES = 200;

export function define(plan: Command): void {
  plan
    .description(
      'Make a plan, look at it, and work on it. What agents call prints one JSON object: {"status","data"} or {"status","error"}.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata plan init "User log-in" --phases 2
  fermata plan show plans/user-log-in
  fermata plan next plans/user-log-in`,
    );
  plan
    .command('init')
    .summary('make a new plan from a template')
    .description('Make the files of a new plan from a template. What is left to fill in is named.')
    .argument('<name>', 'what is to be built, in a few words')
    .option('--phases <number>', 'how many phases', wholeNumber('--phases', 1, MOST_PHASES), 3)
    .addOption(
      new Option('--template <name>', 'which kind of phases').choices(templateNames).default('generic'),
    )
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .addHelpText('after', '\nExample:\n  fermata plan init "User log-in" --phases 2 --template backend')
    .action(async (name: string, options: InitOptions) => {
      await (await import('../plan/init.ts')).initPlan(name, options);
    });
  plan
    .command('show')
    .summary('what a plan says')
    .description('Show what a plan says: its phases with dependencies, gates, tasks, notes and agents.')
    .argument('[dir]', 'the folder of a plan, or its master file (default: the only plan there is)')
    .addHelpText('after', '\nExample:\n  fermata plan show plans/login --format json | jq ".phases[].gates"')
    .action(async (dir: string | undefined, options: CommonOptions) => {
      await (await import('../plan/show.ts')).showPlan(dir, options);
    });
  withRoleOptions(plan.command('decompose'))
    .summary('let the Planner take a plan apart into phases')
    .description(
      'Let the Planner take a plan apart into phases with their tasks; where the plan is ambiguous it asks first, and writes nothing until then.',
    )
    .argument('[plan]', 'the plan: a text, a file, or - for stdin')
    .option('--output <dir>', 'where the phases go (default: plans/NAME in the project)')
    .option('--resume [id]', 'go on with one whose questions were answered (the newest where none is named)')
    .addHelpText(
      'after',
      `
Examples:
  fermata plan decompose docs/checkout.md --output plans/checkout
  fermata plan decompose --resume

Exit codes: 0 written, 1 unusable answer, 3 waits for an answer, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (text: string | undefined, options: DecomposeOptions) => {
      await (await import('../plan/decompose.ts')).decompose(text, options);
    });
  defineAgentCommands(plan);
  defineProtocol(plan.command('protocol').summary('the same as "fermata protocol"'));
  asPlanCommand(plan.command('cleanup-debug-logs'))
    .summary('remove [DEBUG-TEMP] logs from this worktree')
    .description(
      'Remove each line that is only "// [DEBUG-TEMP]" or "# [DEBUG-TEMP]", with the lines below it up to the first blank one, from all files of this worktree that git tracks or would not ignore.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan cleanup-debug-logs | jq .data.files_modified')
    .action(async () => {
      await planCommand(async () => (await import('../plan/cleanup-debug-logs.ts')).cleanup());
    });
}
