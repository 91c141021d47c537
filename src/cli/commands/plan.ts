import { type Command, Option } from 'commander';
import { templateNames } from '../../plan/templates/templates.ts';
import { counted } from '../../schema/counted.ts';
import { Refusal } from '../../schema/refusal.ts';
import { cleanupDebugLogs } from '../../work/debug-logs/cleanup-debug-logs.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { defineAgentCommands } from '../plan/agent-commands.ts';
import { type DecomposeOptions, decompose } from '../plan/decompose.ts';
import { type InitOptions, initPlan } from '../plan/init.ts';
import { showPlan } from '../plan/show.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';
import { withRoleOptions } from '../roles/role-options.ts';
import { define as defineProtocol } from './protocol.ts';

const MAX_PHASES = 200;

export function define(plan: Command): void {
  plan
    .description(
      'Create a plan, show it, and work on it. The commands for agents print text in a terminal; otherwise, or with --format json, they print one JSON object: {"status","data"} or {"status","error"}.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata plan init "User login" --phases 2
  fermata plan show plans/user-login
  fermata plan next plans/user-login`,
    );
  defineInit(plan.command('init').summary('create a plan from a template'));
  defineShow(plan.command('show').summary('show a plan'));
  withRoleOptions(plan.command('decompose'))
    .summary('let the Planner split a plan into phases')
    .description(
      'Let the Planner split a plan into phases with tasks. If the plan is ambiguous, the Planner asks first and writes nothing until you answer.',
    )
    .argument('[plan]', 'the plan: text, a file, or - for stdin')
    .option('--output <dir>', 'where the phases go (default: plans/NAME in the project)')
    .option('--resume [id]', 'continue after its questions were answered (default: the newest)')
    .addHelpText(
      'after',
      `
Examples:
  fermata plan decompose docs/checkout.md --output plans/checkout
  fermata plan decompose --resume

Exit codes: 0 written, 1 unusable answer, 3 waiting for an answer, 4 the agent could not run, 130 interrupted.`,
    )
    .action(async (text: string | undefined, options: DecomposeOptions) => {
      await decompose(text, options);
    });
  defineAgentCommands(plan);
  defineProtocol(
    plan.command('protocol').summary('print the steps an agent follows (the same as "fermata protocol")'),
  );
  asPlanCommand(plan.command('cleanup-debug-logs'))
    .summary('remove [DEBUG-TEMP] logs from this worktree')
    .description(
      'Remove each line that contains only "// [DEBUG-TEMP]" or "# [DEBUG-TEMP]", and the lines after it up to the first blank line, from all files in this worktree that git does not ignore.',
    )
    .addHelpText('after', '\nExample:\n  fermata plan cleanup-debug-logs | jq .data.files_modified')
    .action(async () => {
      await planCommand(cleanup);
    });
}

export function defineInit(command: Command): void {
  command
    .description('Create the files of a plan from a template, and list what is left to fill in.')
    .argument('<name>', 'what to build, in a few words')
    .option('--phases <number>', 'how many phases', wholeNumber('--phases', 1, MAX_PHASES), 3)
    .addOption(
      new Option('--template <name>', 'which kind of phases').choices(templateNames).default('generic'),
    )
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option('--force', 'replace an existing plan; a backup is kept next to the new one')
    .addHelpText('after', '\nExample:\n  fermata plan init "User login" --phases 2 --template backend')
    .action(async (name: string, options: InitOptions) => {
      await initPlan(name, options);
    });
}

export function defineShow(command: Command): void {
  command
    .description('Show the phases of a plan with their dependencies, gates, tasks, notes and agents.')
    .argument('[dir]', "the plan's folder or master file (default: the only plan)")
    .addHelpText('after', '\nExample:\n  fermata plan show plans/login --format json | jq ".phases[].gates"')
    .action(async (dir: string | undefined, options: CommonOptions) => {
      await showPlan(dir, options);
    });
}

/** Cleans the worktree around this folder. */
async function cleanup(): Promise<object> {
  const { top } = requireRepository(process.cwd());
  const { modified, markers, lines, failed, left, unended } = await cleanupDebugLogs(top);
  const data = {
    success: failed.length === 0,
    files_modified: modified,
    markers_removed: markers,
    lines_deleted: lines,
    failed,
    left,
    unended,
  };
  if (failed.length === 0) return data;
  throw new Refusal(
    'unreadable',
    `Could not clean ${counted(failed.length, 'file')}: ${failed[0]?.file} (${failed[0]?.error}).`,
    {
      suggestion: 'Make them readable and writable, and run the command again. The other files are done.',
      data,
    },
  );
}
