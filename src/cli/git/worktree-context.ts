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
  work: (place: WorktreeContext) => Promise<T>,
): Promise<T> {
  requireRepository(process.cwd()); // before the folder becomes a project
  return withCommandContext(options, async (session) => {
    const { id: projectId } = await session.project();
    return work(
      worktreeContextAt(process.cwd(), session.settings, {
        ledger: session.ledger,
        projectId,
        by: session.by('command'),
      }),
    );
  });
}
