import { tryGit } from '../../git/git.ts';
import { branchTip } from '../../git/refs.ts';
import { tasksWithin } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/** A merge of a phase that is no longer in the branch. */
export interface LostMerge {
  commit: string;
  featureBranch: string;
}

/**
 * The tasks of merged phases whose work is no longer in the feature branch because its history was rewritten. A commit
 * that was rewritten without changing its content is not lost.
 */
export async function lostMerges(planContext: PlanContext): Promise<Map<string, LostMerge>> {
  const { git } = planContext;
  const merged = git ? await mergedCommits(planContext) : [];
  const lost = new Map<string, LostMerge>();
  for (const featureBranch of new Set(merged.map((each) => each.featureBranch))) {
    const tip = git && (await branchTip(git.commonDir, featureBranch));
    if (git === undefined || tip === undefined) continue; // a deleted branch was merged elsewhere, or given up
    const own = merged.filter((each) => each.featureBranch === featureBranch);
    const outside = await commitsOutside(
      git.commonDir,
      tip,
      own.map(({ commit }) => commit),
    );
    for (const { taskId, commit, base } of own) {
      if (outside.has(commit) && !(await isEquivalent(git.commonDir, { tip, commit, base })))
        lost.set(taskId, { commit, featureBranch });
    }
  }
  return lost;
}

/** The last commit of each merged phase on which its gate commands passed. */
async function mergedCommits({ ledger, projectId, name }: PlanContext) {
  const within = tasksWithin(name);
  const [started, gates, worktrees] = await Promise.all([
    ledger.phases.within(projectId, within, 'started'),
    ledger.phases.within(projectId, within, 'gates'),
    ledger.worktrees.list(projectId),
  ]);
  const branches = new Map(started.map(({ taskId, branch }) => [taskId, branch]));
  const commits = new Map(gates.map(({ taskId, data }) => [taskId, data.commit]));
  return [...branches].flatMap(([taskId, branch]) => {
    const worktree = worktrees.find((each) => each.branch === branch && each.state === 'merged');
    const commit = commits.get(taskId);
    if (!worktree || commit === undefined) return [];
    return [{ taskId, commit, featureBranch: worktree.featureBranch, base: worktree.baseCommit }];
  });
}

/** The commits that cannot be reached from `tip`. */
async function commitsOutside(folder: string, tip: string, commits: string[]): Promise<Set<string>> {
  const input = [`^${tip}`, ...commits].join('\n');
  const args = ['rev-list', '--ignore-missing', '--stdin'];
  const { code, stdout } = await tryGit(folder, args, { input: `${input}\n` });
  return new Set(code === 0 ? stdout.toString('utf8').split('\n') : []);
}

async function isEquivalent(
  folder: string,
  { tip, commit, base }: { tip: string; commit: string; base: string },
): Promise<boolean> {
  const { code, stdout } = await tryGit(folder, ['cherry', tip, commit, base]);
  return code === 0 && !/^\+/m.test(stdout.toString('utf8'));
}
