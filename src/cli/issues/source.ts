import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { issuesFromJson } from '../../issues/issue.ts';
import {
  type IssueSource,
  namedOnly,
  readIssues,
  type SourcedIssues,
} from '../../work/kinds/plan-from-issues/read-issues.ts';
import { collect, wholeNumber } from '../command.ts';
import { wholeInput } from '../recorded-input.ts';

/** Where issues come from, as flags of a command. */
export interface IssueFlags extends IssueSource {
  fromFile?: string;
}

const MAX_SIZE = 256 * 1024 * 1024;
const NEWEST_NUMBER = 2 ** 31 - 1;
const onGitHub = ['repo', 'milestone', 'label', 'limit'] as const;

export function withIssueSource(command: Command): Command {
  return command
    .option('--repo <owner/name>', 'a GitHub repository (default: the one that this folder is a clone of)')
    .option('--milestone <milestone>', 'only open issues of this milestone: its title or number')
    .option('--label <label>', 'only open issues with this label (repeatable)', collect)
    .option('--issue <number>', 'only this issue (repeatable)', issueNumbers)
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

/** Reads the issues that the flags name; if they name none, those of the repository of which this folder is a clone. */
export async function readFlaggedIssues(
  context: Parameters<typeof readIssues>[0],
  flags: IssueFlags,
  signal?: AbortSignal,
): Promise<SourcedIssues> {
  const { fromFile, issue: numbers } = flags;
  if (fromFile === undefined) return readIssues(context, flags, signal);
  const bytes = await wholeInput(fromFile, MAX_SIZE, 'Pass fewer issues at once.');
  const name = fromFile === '-' ? 'stdin' : fromFile;
  const issues = namedOnly(issuesFromJson(bytes.toString('utf8'), name), numbers, name);
  return { issues, from: fromFile === '-' ? name : resolve(fromFile) };
}

function issueNumbers(text: string, previous: number[] = []): number[] {
  return [...previous, wholeNumber('--issue', 1, NEWEST_NUMBER)(text.replace(/^#/, ''))];
}
