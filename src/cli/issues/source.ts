import { type Command, Option } from 'commander';
import { listRemotes } from '../../git/remotes.ts';
import { detectRepo } from '../../issues/github/detect-repo.ts';
import { readGitHubIssues } from '../../issues/github/read-issues.ts';
import type { Issue } from '../../issues/issue.ts';
import { issuesFromFolder } from '../../issues/issue-folder.ts';
import { issuesFromJson } from '../../issues/issue-json.ts';
import { FermataError } from '../../schema/error.ts';
import { collect, wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { tell } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { wholeInput } from '../recorded-input.ts';

/** Where issues come from, as flags of a command. */
export interface IssueSource {
  fromFile?: string;
  fromDir?: string;
  repo?: string;
  milestone?: string;
  label?: string[];
  issue?: number[];
  limit?: number;
}

const LARGEST = 256 * 1024 * 1024;
const MOST_NAMED = 20;
const NEWEST_NUMBER = 2 ** 31 - 1;
const onGitHub = ['repo', 'milestone', 'label', 'limit'] as const;

export function withIssueSource(command: Command): Command {
  return command
    .option('--repo <owner/name>', 'a GitHub repository (default: the one that this folder is a clone of)')
    .option('--milestone <milestone>', 'only open issues of this milestone: its title or number')
    .option('--label <label>', 'only open issues with this label; may be given several times', collect)
    .option('--issue <number>', 'only this issue; may be given several times', issueNumbers)
    .option('--limit <number>', 'only this many of the newest issues', wholeNumber('--limit', 1, 1_000_000))
    .addOption(
      new Option('--from-file <file>', 'what `gh issue list --json …` printed; - is stdin').conflicts([
        'fromDir',
        ...onGitHub,
      ]),
    )
    .addOption(
      new Option('--from-dir <dir>', 'a folder of Markdown files, one for each issue').conflicts([
        ...onGitHub,
      ]),
    );
}

export interface SourcedIssues {
  issues: Issue[];
  /** Set where they are GitHub's: `owner/name`. */
  repo?: string;
}

/** Reads the issues that the flags name; where they name none, those of the repository that `folder` is a clone of. */
export async function readIssues(source: IssueSource, folder: string): Promise<SourcedIssues> {
  const { fromDir, fromFile, issue: numbers } = source;
  if (fromDir !== undefined) return { issues: namedOnly(issuesFromFolder(fromDir), numbers, fromDir) };
  if (fromFile !== undefined)
    return { issues: namedOnly(await issuesFromFile(fromFile), numbers, nameOf(fromFile)) };
  const repo = source.repo ?? detectRepo(await listRemotes(folder));
  if (repo === undefined) {
    throw new FermataError(
      'invalid',
      'Choose the issues: --repo OWNER/NAME, --from-file FILE (or - for stdin), or --from-dir DIR. This folder has no remote on GitHub.',
    );
  }
  return { repo, issues: await issuesFromGitHub(repo, source) };
}

async function issuesFromGitHub(repo: string, source: IssueSource): Promise<Issue[]> {
  const line = progressLine();
  const query = {
    repo,
    milestone: source.milestone,
    labels: source.label,
    issues: source.issue,
    limit: source.limit,
  };
  return interruptible(async (signal) => {
    line.show(`Reading issues of ${repo} …`);
    try {
      return await readGitHubIssues(query, {
        env: process.env,
        signal,
        onProgress: line.show,
        onNotice: (message) => {
          line.clear();
          tell(message);
        },
      });
    } finally {
      line.clear();
    }
  });
}

async function issuesFromFile(file: string): Promise<Issue[]> {
  const bytes = await wholeInput(file, LARGEST, 'Pass fewer issues at once.');
  return issuesFromJson(bytes.toString('utf8'), nameOf(file));
}

const nameOf = (file: string) => (file === '-' ? 'stdin' : file);

/** Only the issues with these numbers; all of them if none is named. */
function namedOnly(issues: Issue[], numbers: number[] | undefined, place: string): Issue[] {
  if (numbers === undefined) return issues;
  const missing = numbers.find((number) => issues.every((issue) => issue.number !== number));
  if (missing === undefined) return issues.filter(({ number }) => numbers.includes(number));
  const there = issues.map(({ number }) => `#${number}`);
  throw new FermataError(
    'not_found',
    `${place} has no issue #${missing}. It has ${there.slice(0, MOST_NAMED).join(', ')}${there.length > MOST_NAMED ? ', …' : ''}.`,
  );
}

function issueNumbers(text: string, previous: number[] = []): number[] {
  return [...previous, wholeNumber('--issue', 1, NEWEST_NUMBER)(text.replace(/^#/, ''))];
}
