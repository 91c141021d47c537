import { requireGit } from '../../../git/git.ts';
import { branchTip, currentBranch, isBranchName } from '../../../git/refs.ts';
import { cmd } from '../../../schema/command-line.ts';
import { Refusal } from '../../../schema/refusal.ts';
import type { Run } from '../../../schema/run.ts';
import { agentOfRun } from '../../agent/choose-agent.ts';
import { type AgentsOptions, openAgents } from '../../agent/open-agents.ts';
import type { Context } from '../../context.ts';
import { locateFeature } from '../../phases/find-plan.ts';
import { TASK_PROTOCOL } from '../../phases/phase-standing.ts';
import { joinProject } from '../../projects/join-project.ts';
import type { TaskRun } from '../../run/work-run.ts';
import { checkContents, projectChecks } from '../../trust/project-checks.ts';
import type { TrustOptions } from '../../trust/require-trust.ts';
import { workTrust } from '../../trust/work-trust.ts';
import { publishFeature } from '../../worktrees/exchange/publish-feature.ts';
import { usesRemote } from '../../worktrees/exchange/remote-context.ts';
import { type WorktreeContext, worktreeContextAt } from '../../worktrees/worktree-context.ts';
import { worktreeOf } from './worktree-of.ts';

export interface OpenTaskOptions extends AgentsOptions, TrustOptions {
  /** The branch to merge into; by default the current one. */
  into?: string;
}

/** Everything that work on a task needs, looked up once, after a person has trusted what is followed and run. */
export async function openTask(context: Context, taskId: string, options: OpenTaskOptions): Promise<TaskRun> {
  const { ledger, settings, cwd, who: by, report } = context;
  await requireGit();
  const { id: projectId } = await context.project();
  const tell = (text: string) => report({ kind: 'notice', text });
  const joined = await joinProject(worktreeContextAt(cwd, settings, { ledger, projectId, by }));
  const git = { ...joined, tell };
  const { here, checkouts } = await locateFeature(git, git.top);
  const featureBranch = await branchToMergeInto(git, taskId, options.into);
  const around = { ledger, projectId, by, cwd, storage: git.storage, git, here, checkouts };
  const [last] = await ledger.runs.of(projectId, 'execute', taskId);
  const agents = await openAgents(context, git.top, options, last && begunBy(last));
  const { config } = settings;
  const also = config.checks ? [] : checkContents(git.top);
  const trusted = await workTrust(context, around, { protocols: [TASK_PROTOCOL], also }, options);
  if (usesRemote(git)) await publishFeature(git, featureBranch);
  return {
    ...agents,
    ...trusted,
    around,
    featureBranch,
    checks: projectChecks(git.top, config).map(({ command }) => ({ name: command, command })),
    tell: ({ taskId: task, name: phase }, text) => report({ kind: 'phase', task, phase, text }),
    onEvent: ({ taskId: task, name: phase }, event) => report({ kind: 'agent', task, phase, event }),
  };
}

const begunBy = (run: Run) => ({
  ...agentOfRun(run),
  sandbox: run.data.for === 'task' && run.data.sandbox === true,
});

/** Work that began for a branch is merged into that branch. */
async function branchToMergeInto(
  { ledger, projectId, top, commonDir }: WorktreeContext,
  taskId: string,
  wanted: string | undefined,
): Promise<string> {
  const begun = await worktreeOf(ledger, projectId, taskId);
  if (begun && wanted !== undefined && wanted !== begun.featureBranch)
    throw new Refusal(
      'other_branch',
      `${taskId} was started for ${begun.featureBranch}, not for ${wanted}.`,
      {
        suggestion: `Continue without --into: ${cmd`tasks work ${taskId}`}`,
        code: 'invalid',
      },
    );
  const into = begun?.featureBranch ?? wanted ?? (await currentBranch(top));
  if (into === undefined)
    throw new Refusal('no_branch', `No branch is checked out in ${top}.`, {
      suggestion: `Name the branch to merge into: ${cmd`tasks work ${taskId} --into BRANCH`}`,
      code: 'invalid',
    });
  if (isBranchName(into) && (await branchTip(commonDir, into)) !== undefined) return into;
  throw new Refusal('no_branch', `Branch ${into.slice(0, 200)} not found, or it has no commits.`, {
    suggestion: 'Commit something first, or name another branch with --into.',
    code: 'not_found',
  });
}
