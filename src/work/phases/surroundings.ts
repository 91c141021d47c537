import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import type { Context } from '../context.ts';
import { worktreeContextAt } from '../worktrees/worktree-context.ts';
import { locateFeature } from './find-plan.ts';
import type { Surroundings } from './plan-context.ts';

/** The surroundings of work without a plan. */
export async function surroundingsOf(
  context: Pick<Context, 'ledger' | 'settings' | 'cwd' | 'who' | 'project'>,
): Promise<Surroundings> {
  const { ledger, settings, cwd, who: by } = context;
  const { id: projectId, root } = await context.project();
  const git = findRepository(cwd) ? worktreeContextAt(cwd, settings, { ledger, projectId, by }) : undefined;
  const storage = join(settings.home.value, 'projects', projectId);
  return { ledger, projectId, by, cwd, storage, git, ...(await locateFeature(git, root ?? cwd)) };
}
