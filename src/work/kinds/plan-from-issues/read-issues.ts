import { resolve } from 'node:path';
import { findRepository } from '../../../config/repository.ts';
import { listRemotes } from '../../../git/remote/address.ts';
import { detectRepo, readGitHubIssues } from '../../../issues/github/read-issues.ts';
import type { Issue } from '../../../issues/issue.ts';
import { issuesFromFolder } from '../../../issues/issue-folder.ts';
import { FermataError } from '../../../schema/error.ts';
import type { Context } from '../../context.ts';

/** Issues, and where they come from. */
export interface SourcedIssues {
  issues: Issue[];
  /** A repository, a full path, or another name. The same place has the same questions, whichever plan it is for. */
  from: string;
  /** Set for issues from GitHub: `owner/name`. */
  repo?: string;
  milestone?: string;
}

/** Which issues: those of a folder, else GitHub's. */
export interface IssueSource {
  /** A folder of Markdown files, one per issue. */
  fromDir?: string;
  /** `owner/name` (default: the repository of which the folder is a clone). */
  repo?: string;
  milestone?: string;
  label?: string[];
  /** Only these numbers. */
  issue?: number[];
  limit?: number;
}

/** Reads the issues that the source names. */
export async function readIssues(
  { cwd, env, report }: Pick<Context, 'cwd' | 'env' | 'report'>,
  source: IssueSource,
  signal?: AbortSignal,
): Promise<SourcedIssues> {
  const { fromDir, milestone, label: labels, issue: numbers, limit } = source;
  if (fromDir !== undefined)
    return { issues: namedOnly(issuesFromFolder(fromDir), numbers, fromDir), from: resolve(cwd, fromDir) };
  const repo = source.repo ?? detectRepo(await listRemotes(topOf(cwd)));
  if (repo === undefined) {
    throw new FermataError(
      'invalid',
      'Choose the issues: --repo OWNER/NAME, --from-file FILE (or - for stdin), or --from-dir DIR. This folder has no remote on GitHub.',
    );
  }
  const onProgress = (text: string) => report({ kind: 'progress', text });
  onProgress(`Reading issues of ${repo} …`);
  const onNotice = (text: string) => report({ kind: 'notice', text });
  const query = { repo, milestone, labels, issues: numbers, limit };
  const issues = await readGitHubIssues(query, { env, signal, onProgress, onNotice });
  return { issues, repo, from: repo, ...(milestone === undefined ? {} : { milestone }) };
}

/** The repository around a folder, or the folder itself. */
export const topOf = (cwd: string) => findRepository(cwd)?.top ?? cwd;

const MAX_NAMED = 20;

/** Only the issues with these numbers; all of them if none is named. */
export function namedOnly(issues: Issue[], numbers: number[] | undefined, place: string): Issue[] {
  if (numbers === undefined) return issues;
  const missing = numbers.find((number) => issues.every((issue) => issue.number !== number));
  if (missing === undefined) return issues.filter(({ number }) => numbers.includes(number));
  const there = issues.map(({ number }) => `#${number}`);
  throw new FermataError(
    'not_found',
    `${place} has no issue #${missing}. It has ${there.slice(0, MAX_NAMED).join(', ')}${there.length > MAX_NAMED ? ', …' : ''}.`,
  );
}
