import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { planUndo, type Undo, undo } from '../../work/phases/undo.ts';
import { joinProject } from '../../work/projects/join-project.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { withWorktreeContext } from '../commands/git.ts';
import { confirm } from '../confirm.ts';
import { print, printJson, tell } from '../output.ts';
import { sentenceOf, taskJson } from '../task-view.ts';

interface UndoOptions extends CommonOptions {
  yes?: true;
}

export function defineUndo(tasks: Command): void {
  tasks
    .command('undo')
    .summary('revert what a task merged, and reopen it')
    .description(
      'Revert what a phase or task merged into the feature branch, with a new commit, and reopen it. If others build on it, or a remote has it, this says so and asks first.',
    )
    .argument('<id>', 'the task')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  fermata tasks undo shop/2\n  fermata tasks undo shop/2 --yes')
    .action(async (id: string, options: UndoOptions) => {
      await withWorktreeContext(options, async (worktreeContext) => {
        const context = await joinProject({ ...worktreeContext, tell });
        const planned = await planUndo(context, id);
        if (!options.yes && !(await isWanted(planned))) return;
        const task = await undo(context, planned);
        const { merges, builtOn } = planned;
        if (options.format === 'json') return printJson({ task: taskJson(task), reverted: merges, builtOn });
        await print(`${sentenceOf(task, [])}. Its work is reverted on ${planned.featureBranch}.`);
      });
    });
}

async function isWanted({ task: { id }, featureBranch, builtOn, remotes }: Undo): Promise<boolean> {
  if (builtOn.length === 0 && remotes.length === 0) return true;
  const warnings = [
    `Undoing ${id} adds a commit to ${featureBranch} that takes back its work, and reopens it.`,
    ...(builtOn.length > 0 ? [`Built on it, and left as they are: ${builtOn.join(', ')}.`] : []),
    ...(remotes.length > 0 ? [`Already at the remote: ${remotes.join(', ')}. Others may use it.`] : []),
  ].join('\n');
  if (!isAtTerminal())
    throw new FermataError('waiting', `${warnings}\nTo do it: ${cmd`tasks undo ${id} --yes`}`);
  tell(warnings);
  return confirm('Undo it?');
}
