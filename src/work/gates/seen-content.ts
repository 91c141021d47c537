import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { gitDirOf } from '../../git/deaf-environment.ts';
import { type ByteName, git, gitNames } from '../../git/git.ts';
import { branchTip } from '../../git/refs.ts';
import { rereadFiles } from '../../git/reread-files.ts';
import { stage } from '../../git/stage.ts';
import { readStatus, withScratchIndex } from '../../git/status.ts';
import type { SeenContent } from '../../schema/seen-content.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { cleanedEntries, pathOf } from '../debug-logs/cleaned-entries.ts';
import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { ownWork, treeOf } from './own-work.ts';

/** `files`: including everything that is not committed yet. `committed`: only what would be merged. */
export type SeenState = 'files' | 'committed';

/** What a person sees of each phase or variant that has a worktree, by task. */
export async function seenContents(
  planContext: PlanContext,
  phases: PhaseTask[],
  state: SeenState,
): Promise<Record<string, SeenContent>> {
  const contents: Record<string, SeenContent> = {};
  for (const at of phases) {
    const worktree = await worktreeOf(planContext, at);
    const content = worktree && (await seenContent(worktree, state));
    if (content !== undefined) contents[at.taskId] = content;
  }
  return contents;
}

/** The same of one worktree. */
export async function seenContent(
  { path, branch, featureBranch, plan }: Worktree & { path: string },
  state: SeenState,
): Promise<SeenContent | undefined> {
  const tip = await branchTip(path, branch);
  const files = state === 'files' ? await treeOfFiles(path) : undefined;
  const isCommitted = files === undefined || (tip !== undefined && files === (await treeOf(path, tip)));
  const seen = isCommitted && tip !== undefined ? await ownWork(path, tip, featureBranch) : files;
  if (seen === undefined) return undefined;
  const entries = await entriesOf(path, seen, plan);
  const cleaned = await cleanedEntries(path, seen, entries);
  return { files: hashOf(entries), ...(cleaned && { cleaned: hashOf(cleaned) }) };
}

async function treeOfFiles(path: string): Promise<string> {
  return withScratchIndex(gitDirOf(path), async (env) => {
    await rereadFiles(path, env);
    await stage(path, (await readStatus(path, { env })).entries, { env });
    return git(path, ['write-tree'], { env });
  });
}

/**
 * A hash of all files of a commit or tree except the plan's Markdown, whose boxes, status and notes agents update at any
 * time.
 */
export async function contentOf(folder: string, tree: string, plan: string | null): Promise<string> {
  return hashOf(await entriesOf(folder, tree, plan));
}

async function entriesOf(folder: string, tree: string, plan: string | null): Promise<ByteName[]> {
  const entries = await gitNames(folder, ['ls-tree', '-r', '-z', '--full-tree', tree]);
  return entries.filter((entry) => !isPlanText(plan, pathOf(entry)));
}

const hashOf = (entries: readonly ByteName[]) =>
  createHash('sha256').update(entries.join('\0'), 'latin1').digest('hex');

function isPlanText(plan: string | null, path: string): boolean {
  if (plan === null || !path.endsWith('.md')) return false;
  return plan === '.' ? posix.dirname(path) === '.' : path.startsWith(`${asBytes(plan)}/`);
}

/** `gitNames` decodes names as latin1. */
const asBytes = (name: string) => Buffer.from(name.replaceAll('\\', '/')).toString('latin1');
