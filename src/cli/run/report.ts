import { ENVIRONMENT } from '../../schema/block-reason.ts';
import { cmd, quoted } from '../../schema/command-line.ts';
import { OPEN_QUESTION } from '../../schema/task.ts';
import { visible } from '../../schema/visible.ts';
import type { RunReport } from '../../work/kinds/phase/run-report.ts';
import type { Skipped } from '../../work/kinds/phase/skipped.ts';
import { exit } from '../exit.ts';

export const exitCodes = {
  done: exit.done,
  waiting: exit.waiting,
  failed: exit.failed,
  interrupted: exit.interrupted,
} as const;

/** The rest of each kind are only counted. */
const MAX = 20;

/** The reader's position: the plan's folder as seen from there, and the current branch. */
interface Here {
  folder: string;
  branch?: string | undefined;
  /** False if this run merges without reviews, so resuming it should do the same. */
  review?: boolean;
}

/** The report in a few lines, with what to do next. */
export function reportText(report: RunReport, { folder, branch, review = true }: Here): string {
  const { result, plan, feature_branch, standing, phases, open } = report;
  const total = standing.open + standing.in_progress + standing.blocked + standing.closed;
  const lines = [`${standing.closed} of ${total} phases of ${plan} are done.`];
  const stopped = phases.filter(({ reason }) => reason !== undefined && reason !== OPEN_QUESTION);
  for (const { id, task, reason = '', worktree } of stopped.slice(0, MAX)) {
    lines.push(`Phase ${id} stopped: ${reason.split('\n')[0]}`);
    if (reason.startsWith(ENVIRONMENT)) continue;
    lines.push(`  Look at it${worktree ? ` in ${worktree}` : ''}, then: ${cmd`tasks unblock ${task}`}`);
  }
  for (const { id, task } of phases.filter(({ paused }) => paused).slice(0, MAX))
    lines.push(`Phase ${id} is paused: ${cmd`resume ${task}`}`);
  if (stopped.length > MAX)
    lines.push(`${stopped.length - MAX} more stopped: ${cmd`tasks list --status blocked`}`);
  if (stopped.some(({ reason = '' }) => reason.startsWith(ENVIRONMENT)))
    lines.push(`Once you have repaired the environment, unblock its phases: ${cmd`tasks unblock --all`}`);
  for (const { id, question } of open.slice(0, MAX))
    lines.push(`Waiting for you: ${question.split('\n')[0]}`, `  ${cmd`answer ${id}`}`);
  if (open.length > MAX) lines.push(`${open.length - MAX} more waiting for you: ${cmd`inbox`}`);
  if (result === 'waiting' && open.length === 0)
    lines.push(
      'Agents that waited for a permission have ended. They ask again when you resume; --wait keeps them.',
    );
  const skipped = skippedLines(report.skipped);
  lines.push(...skipped.slice(0, MAX));
  if (skipped.length > MAX) lines.push(`${skipped.length - MAX} more skipped: --format json lists all.`);
  if (result === 'done') {
    const take =
      branch === feature_branch
        ? ', which is checked out here.'
        : `. Merge it with: git merge ${quoted(feature_branch)}`;
    lines.push(`The work is on branch ${feature_branch}${take}`);
    lines.push(`Remove the worktrees of merged phases with: ${cmd`git cleanup-worktrees`}`);
  } else lines.push(`Resume with: ${cmd`run --resume ${folder}`}${review ? '' : ' --no-review'}`);
  return visible(lines.join('\n'));
}

/** One line for each skipped step, however many phases it concerns. */
function skippedLines(skipped: readonly Skipped[]): string[] {
  const groups = new Map<string, Skipped[]>();
  for (const each of skipped) {
    const key = JSON.stringify([each.step, each.reason]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((group) => {
    const [{ step, reason }] = group as [Skipped];
    const phases = group.flatMap(({ phase }) => phase ?? []);
    const of = phases.length === 0 ? '' : ` of phase${phases.length > 1 ? 's' : ''} ${phases.join(', ')}`;
    return `Skipped: ${step}${of}. ${reason}`;
  });
}
