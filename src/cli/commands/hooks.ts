import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { nameForAgents } from '../invoked-name.ts';
import { print, printJson } from '../output.ts';

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
      const { describeHook, installHook } = await import('../hooks/install.ts');
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
    .action(async (options: CommonOptions) => (await import('../hooks/show.ts')).showProgress(options));
  hooks
    .command('commands')
    .summary('add /plan and /continue to Claude Code')
    .description(
      'Write the commands /plan and /continue for Claude Code into .claude/commands. Existing files are not changed.',
    )
    .addHelpText('after', '\nExample:\n  fermata hooks commands')
    .action(async ({ format }: CommonOptions, command: Command) => {
      const { describeCommandFiles, writeClaudeCommands } = await import('../hooks/claude-commands.ts');
      const files = writeClaudeCommands(process.cwd(), nameForAgents(command));
      await (format === 'json' ? printJson({ files }) : print(describeCommandFiles(files)));
    });
}
