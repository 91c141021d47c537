import {
  requireRepository,
  type WorktreeContext,
  worktreeContextAt,
} from '../../work/worktrees/worktree-context.ts';
import type { CommonOptions } from '../command.ts';
import { withCommandContext } from '../command-context.ts';

/** Runs `work` with the repository of this folder and the records of its worktrees. */
export function withWorktreeContext<T>(
  options: CommonOptions,
  work: (worktreeContext: WorktreeContext) => Promise<T>,
): Promise<T> {
  requireRepository(process.cwd()); // before the folder becomes a project
  return withCommandContext(options, async (context) => {
    const { id: projectId } = await context.project();
    return work(
      worktreeContextAt(process.cwd(), context.settings, {
        ledger: context.ledger,
        projectId,
        by: context.by('command'),
      }),
    );
  });
}
