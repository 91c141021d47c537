import type { Command } from 'commander';
import { visible } from '../../schema/visible.ts';
import { standings } from '../../work/phases/overview.ts';
import { phaseName } from '../../work/phases/phase-task.ts';
import type { CommonOptions } from '../command.ts';
import { describeCommandFiles, writeClaudeCommands } from '../hooks/claude-commands.ts';
import { describeHook, installHook } from '../hooks/install.ts';
import { nameForAgents } from '../invoked-name.ts';
import { print, printJson } from '../output.ts';
import { withPlan } from '../plan/plan-context.ts';

export function define(hooks: Command): void {
  hooks
    .description('Connect git and Claude Code to a plan.')
    .addHelpText('after', '\nExamples:\n  fermata hooks install\n  fermata hooks commands');
  hooks
    .command('install')
    .summary("print the plan's progress when you switch to a phase")
    .description(
      "Install a post-checkout hook that prints the plan's progress when you switch to a phase's branch. It never overwrites your own hook.",
    )
    .addHelpText('after', '\nExample:\n  fermata hooks install')
    .action(async ({ format }: CommonOptions) => {
      const hook = await installHook(process.cwd());
      await (format === 'json' ? printJson({ hook }) : print(describeHook(hook)));
    });
  hooks
    .command('show')
    .summary("print the plan's progress")
    .description(
      "Print the status of this branch's phase and the plan's progress in one line, as the hook does.",
    )
    .addHelpText('after', '\nExample:\n  fermata hooks show')
    .action(async (options: CommonOptions) => showProgress(options));
  hooks
    .command('commands')
    .summary('add /plan and /continue to Claude Code')
    .description(
      'Write the commands /plan and /continue for Claude Code into .claude/commands. Existing files are not changed.',
    )
    .addHelpText('after', '\nExample:\n  fermata hooks commands')
    .action(async ({ format }: CommonOptions, command: Command) => {
      const files = writeClaudeCommands(process.cwd(), nameForAgents(command));
      await (format === 'json' ? printJson({ files }) : print(describeCommandFiles(files)));
    });
}

/** Prints the plan's progress, for a person who just switched to a phase's branch. */
function showProgress(options: CommonOptions): Promise<void> {
  return withPlan(options, async (planContext) => {
    const all = await standings(planContext);
    const done = all.filter(({ status }) => status === 'completed').length;
    const [, name] = /--implementation-(.+)$/.exec(planContext.checkouts.branch ?? '') ?? [];
    const here = all.find(({ at }) => phaseName(at) === name);
    const report = {
      plan: planContext.name,
      phase: here ? phaseName(here.at) : null,
      status: here?.status ?? null,
      done,
      phases: all.length,
    };
    if (options.format === 'json') return printJson(report);
    const phase = here ? `Phase ${phaseName(here.at)}, ${here.at.phase.title}: ${here.status}. ` : '';
    await print(visible(`${phase}${done} of ${all.length} phases of ${planContext.name} are done.`));
  });
}
