import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, tryGit } from '../../../git/git.ts';
import type { CheckoutSource } from './checkout-source.ts';

/** Files in which git keeps commits of an unfinished operation. */
const operationFiles = [
  'HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'ORIG_HEAD',
  'rebase-merge/orig-head',
  'rebase-merge/autostash',
  'rebase-merge/stopped-sha',
  'rebase-apply/orig-head',
  'rebase-apply/autostash',
];

/** Refs that belong to one checkout and are removed with it. */
const ownRefs = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];
/** The most commits to keep; older reflog entries are not work that somebody still needs. */
const MAX = 500;

/**
 * The commits that would be lost with a checkout: those that only its HEAD, its HEAD's reflog, its own refs or an
 * unfinished operation reach. Returns only commits from which the others can be reached.
 */
export async function looseCommits(
  commonDir: string,
  source: CheckoutSource,
  branch: string,
): Promise<string[]> {
  const named = operationFiles.flatMap((name) => idsIn(join(source.gitDir, name)));
  const seen = idsIn(join(source.gitDir, 'logs/HEAD')).slice(-2 * MAX);
  const candidates = [...new Set([...named, ...seen, ...(await ownRefTips(source))])];
  if (candidates.length === 0) return [];
  // The branch's own history is kept with the branch.
  const kept = idsIn(join(commonDir, 'logs/refs/heads', branch)).map((id) => `^${id}`);
  const input = `${[...candidates, ...kept].join('\n')}\n`;
  // Without --single-worktree, --all includes the HEADs of all checkouts, even of the one to remove.
  const args = ['rev-list', '--ignore-missing', '--single-worktree', '--stdin', '--not', '--all'];
  const { code, stdout } = await tryGit(commonDir, args, { input });
  const loose = new Set(code === 0 ? stdout.toString('utf8').split('\n') : []);
  const tips = candidates.filter((id) => loose.has(id)).slice(0, MAX);
  if (tips.length < 2) return tips;
  return (await git(commonDir, ['merge-base', '--independent', ...tips])).split('\n').sort();
}

async function ownRefTips({ folder, env }: CheckoutSource): Promise<string[]> {
  const { stdout } = await tryGit(folder, ['for-each-ref', '--format=%(objectname)', ...ownRefs], { env });
  return stdout.toString('utf8').split('\n').filter(Boolean);
}

function idsIn(file: string): string[] {
  if (!existsSync(file)) return [];
  return (readFileSync(file, 'utf8').match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? []).filter(
    (id) => !/^0+$/.test(id),
  );
}
