import { loadSettings } from '../../../src/config/settings.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import { cleanupWorktrees } from '../../../src/work/worktrees/cleanup-worktrees.ts';
import { discardWorktree } from '../../../src/work/worktrees/discard-worktree.ts';
import { findWorktree } from '../../../src/work/worktrees/find-worktree.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { receiveWork } from '../../../src/work/worktrees/receive-work.ts';
import { worktreeContextAt } from '../../../src/work/worktrees/worktree-context.ts';

const by: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };

/** One step with a worktree, as a process of its own does it: opens the ledger, and closes it. */
export async function runStep(role: string, folder: string, home: string, phase: string): Promise<void> {
  const settings = loadSettings(folder, { FERMATA_HOME: home });
  const ledger = await openLedger(settings.store.value, {});
  const { id: projectId, name, root } = settings.project.value;
  await ledger.projects.ensure({ id: projectId, name, root });
  const worktreeContext = worktreeContextAt(folder, settings, { ledger, projectId, by });
  const worktree = () => findWorktree(worktreeContext, { phase, variant: null });
  switch (role) {
    case 'open':
      await openWorktree(worktreeContext, {
        branch: `login--implementation-${phase}`,
        feature: 'login',
        phase,
        variant: null,
        plan: 'plans/login',
      });
      break;
    case 'receive':
      await receiveWork((await worktree()).path ?? '', 'login');
      break;
    case 'merge':
      await mergeWorktree(worktreeContext, await worktree());
      break;
    case 'discard':
      await discardWorktree(worktreeContext, await worktree());
      break;
    case 'cleanup':
      await cleanupWorktrees(worktreeContext, { dryRun: false });
      break;
    default:
      throw new Error(`no role ${role}`);
  }
  await ledger.close();
}
