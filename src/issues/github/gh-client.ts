import { tmpdir } from 'node:os';
import * as z from 'zod';
import { AgentProcess } from '../../agents/process/agent-process.ts';
import { parseJson } from '../../config/parse-json.ts';
import { redactor } from '../../ledger/redact/redact.ts';
import { FermataError } from '../../schema/error.ts';
import { checkIssues, issuesFromJson } from '../issue.ts';
import { type Access, type GitHubClient, type IssueFilter, isPullRequest } from './client.ts';
import type { Repo } from './repo.ts';

const FIELDS = 'number,title,body,labels,state,milestone,assignees,url,createdAt,updatedAt,comments';
/** Passed as the limit to read all issues, because `gh` has a default limit of 30. */
const ALL = 1_000_000;
/** With a filter `gh` searches, and GitHub's search silently returns at most this many. */
const MAX_FOUND = 1000;

/** GitHub through its own command-line program. */
export function ghClient(program: string, repo: Repo, access: Access): GitHubClient {
  const isUsual = repo.host === (access.env.GH_HOST?.toLowerCase() || 'github.com');
  const at = ['--repo', `${isUsual ? '' : `${repo.host}/`}${repo.owner}/${repo.name}`];
  const gh = (args: string[], input?: string) => runGh(program, [...args, ...at], access, input);
  const listed = async (args: string[], limit: number): Promise<unknown[]> => {
    const text = await gh([
      'issue',
      'list',
      '--state',
      'open',
      '--limit',
      String(limit),
      ...args,
      '--json',
      FIELDS,
    ]);
    const list = text.trim() === '' ? [] : parseJson(text, source('list'));
    if (Array.isArray(list)) return list;
    throw new FermataError(
      'invalid',
      `${source('list')} is not a list. Run "gh issue list --json number" to see what gh prints.`,
    );
  };
  const view = async (number: number) => {
    const [issue] = issuesFromJson(
      `[${await gh(['issue', 'view', String(number), '--json', FIELDS])}]`,
      source('view'),
    );
    if (issue === undefined) throw new FermataError('invalid', `gh issue view ${number} printed nothing.`);
    return issue;
  };
  return {
    async list(filter) {
      access.onProgress?.('Reading issues with gh …');
      const flags = flagsOf(filter);
      const found = await listed(flags, filter.limit ?? ALL);
      const isCut = flags.length > 0 && found.length >= MAX_FOUND && found.length !== filter.limit;
      const list = isCut ? (await listed([], ALL)).filter(fits(filter)).slice(0, filter.limit) : found;
      const issues = checkIssues(list, source('list'));
      access.onProgress?.(`${issues.length} issue(s) read.`);
      return issues;
    },
    async view(number) {
      const issue = await view(number);
      if (/\/pull\/\d+$/.test(issue.url ?? '')) throw isPullRequest(number);
      return issue;
    },
    comments: async (number) => (await view(number)).comments.map(({ body }) => body),
    async comment(number, text) {
      const said = await gh(['issue', 'comment', String(number), '--body-file', '-'], text);
      return /https?:\/\/\S+/.exec(said)?.[0];
    },
  };
}

const source = (command: string) => `The output of gh issue ${command}`;

function flagsOf({ milestone, labels = [] }: IssueFilter): string[] {
  return [
    ...(milestone === undefined ? [] : ['--milestone', milestone]),
    ...labels.flatMap((label) => ['--label', label]),
  ];
}

const Filtered = z.object({
  labels: z.array(z.object({ name: z.string() })).catch([]),
  milestone: z.object({ number: z.number(), title: z.string() }).nullish().catch(null),
});

/** The filter that `gh` itself would have applied. */
function fits({ milestone, labels = [] }: IssueFilter): (entry: unknown) => boolean {
  const wanted = labels.map((label) => label.toLowerCase());
  return (entry) => {
    const { data } = Filtered.safeParse(entry);
    if (data === undefined) return true; // the schema check reports what is wrong with it
    const names = data.labels.map(({ name }) => name.toLowerCase());
    const isIn =
      milestone === undefined ||
      data.milestone?.title.toLowerCase() === milestone.toLowerCase() ||
      String(data.milestone?.number) === milestone;
    return isIn && wanted.every((label) => names.includes(label));
  };
}

/** `gh` has no account for this host. */
export class NotLoggedIn extends Error {}

const TIME_LIMIT_MS = 10 * 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** `gh help exit-codes`: 4 is "requires authentication". */
const NEEDS_LOGIN = 4;

/** Runs `gh` without a shell, without prompts and within limits; resolves to its stdout. */
async function runGh(program: string, args: string[], access: Access, input = ''): Promise<string> {
  const running = new AgentProcess({
    program,
    args,
    cwd: tmpdir(),
    env: {
      ...access.env,
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
      NO_COLOR: '1',
      GH_FORCE_TTY: undefined,
    },
  });
  const limit = AbortSignal.any([
    AbortSignal.timeout(TIME_LIMIT_MS),
    ...(access.signal ? [access.signal] : []),
  ]);
  const stop = () => void running.kill();
  limit.addEventListener('abort', stop, { once: true });
  if (limit.aborted) stop();
  try {
    void running.writeAll(input);
    const output = await outputOf(running);
    const { code } = await running.ended;
    access.signal?.throwIfAborted();
    if (limit.aborted)
      throw new FermataError('unavailable', `gh did not finish within ${TIME_LIMIT_MS / 60_000} minutes.`);
    if (code === 0) return output;
    throw failure(code, redactor(access.env)(running.stderrTail).trim());
  } finally {
    limit.removeEventListener('abort', stop);
    await running.kill();
  }
}

async function outputOf(running: AgentProcess): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of running.stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new FermataError(
        'invalid',
        'gh printed more than 256 MB. Narrow the list with --label or --limit.',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failure(code: number | null, said: string): Error {
  if (code === NEEDS_LOGIN || /gh auth login|not logged in/i.test(said)) return new NotLoggedIn();
  const words =
    said.slice(-500) || (code === null ? 'it was killed by a signal' : `it ended with exit code ${code}`);
  if (/HTTP 401|bad credentials/i.test(said)) {
    return new FermataError('forbidden', `GitHub rejected gh's token: ${words}. Log in again: gh auth login`);
  }
  if (/could not resolve to|HTTP 404|not found/i.test(said))
    return new FermataError('not_found', `gh: ${words}`);
  return new FermataError('unavailable', `gh: ${words}`);
}
