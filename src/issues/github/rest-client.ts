import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { checkIssues, type Issue } from '../issue.ts';
import { type Access, type GitHubClient, isPullRequest } from './client.ts';
import type { Repo } from './repo.ts';
import { type GitHubResponse, type RequestLimits, requester } from './request.ts';
import { apiServer } from './server.ts';

const PAGE = 100;
/** How many requests for comments run at once; GitHub discourages many. */
const READERS = 4;
/** The limit for all issues together, the same as for a file of issues. */
const MAX_CHARACTERS = 256 * 1024 * 1024;

/** GitHub through its REST API. */
export function restClient(repo: Repo, access: Access, limits?: RequestLimits): GitHubClient {
  const server = apiServer(repo, access.env);
  const request = requester(server, access, limits);
  const base = `${server.url}/repos/${repo.owner}/${repo.name}`;
  const allPages = (path: string, query: Record<string, string> = {}) =>
    pages(request, `${base}/${path}?${new URLSearchParams({ ...query, per_page: String(PAGE) })}`);

  async function comments(number: number): Promise<string[]> {
    const texts: string[] = [];
    for await (const page of allPages(`issues/${number}/comments`)) {
      texts.push(...page.map((entry) => Comment.parse(entry).body));
    }
    return texts;
  }

  async function list(query: Record<string, string>, labels: string[], limit: number): Promise<RestIssue[]> {
    const found: RestIssue[] = [];
    let characters = 0;
    for await (const page of allPages('issues', query)) {
      for (const entry of page) {
        const issue = restIssue(entry, 'GitHub');
        if (issue.isPullRequest || !hasAll(issue.labels, labels)) continue;
        found.push(issue);
        characters += issue.title.length + (issue.body?.length ?? 0);
      }
      if (characters > MAX_CHARACTERS)
        throw new FermataError(
          'invalid',
          'These issues exceed 256 MB. Narrow the list with --label or --limit.',
        );
      access.onProgress?.(`${Math.min(found.length, limit)} issue(s) read …`);
      if (found.length >= limit) return found.slice(0, limit);
    }
    return found;
  }

  /** Comments may close a gap. Without a token there are 60 requests an hour, too few for one per issue. */
  async function withComments(issues: RestIssue[]): Promise<Issue[]> {
    const talked = issues.filter(({ commentCount }) => commentCount > 0);
    if (talked.length === 0) return issues;
    if (server.token === undefined) {
      access.onNotice?.(
        `Comments of ${talked.length} issue(s) were not read. Set GITHUB_TOKEN to read them.`,
      );
      return issues;
    }
    const left = talked.values();
    let done = 0;
    const reader = async () => {
      for (const issue of left) {
        issue.comments = (await comments(issue.number)).map((body) => ({ body }));
        done += 1;
        access.onProgress?.(`Comments of ${done} of ${talked.length} issue(s) read …`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
    return issues;
  }

  return {
    comments,
    async list({ milestone, labels = [], limit = Number.POSITIVE_INFINITY }) {
      const query: Record<string, string> = { state: 'open' };
      // The API separates labels by commas; a label with a comma is filtered here.
      const simple = labels.filter((label) => !label.includes(','));
      if (simple.length > 0) query.labels = simple.join(',');
      if (milestone !== undefined) {
        query.milestone = String(await milestoneNumber(allPages('milestones', { state: 'all' }), milestone));
      }
      return withComments(
        await list(
          query,
          labels.filter((label) => label.includes(',')),
          limit,
        ),
      );
    },
    async view(number) {
      const { json } = await request(`${base}/issues/${number}`);
      const issue = restIssue(json, `GitHub, issue ${number}`);
      if (issue.isPullRequest) throw isPullRequest(number);
      return (await withComments([issue]))[0] ?? issue;
    },
    async comment(number, body) {
      const { json } = await request(`${base}/issues/${number}/comments`, { body });
      return Written.safeParse(json).data?.html_url;
    },
  };
}

type RestIssue = Issue & { commentCount: number; isPullRequest: boolean };

const Comment = z
  .object({
    body: z
      .string()
      .nullish()
      .transform((body) => body ?? ''),
  })
  .catch({ body: '' });
const Written = z.object({ html_url: z.string() });
const Named = z.object({
  html_url: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  comments: z.number().catch(0),
  pull_request: z.unknown().optional(),
});

/** The API's names for what `gh` calls `url`, `createdAt`, … */
function restIssue(entry: unknown, source: string): RestIssue {
  const [issue] = checkIssues([entry], source);
  const { html_url, created_at, updated_at, comments, pull_request } = Named.parse(entry);
  return {
    ...(issue as Issue),
    url: html_url ?? undefined,
    createdAt: created_at ?? undefined,
    updatedAt: updated_at ?? undefined,
    commentCount: comments,
    isPullRequest: pull_request !== undefined && pull_request !== null,
  };
}

function hasAll(names: string[], wanted: string[]): boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return wanted.every((name) => known.has(name.toLowerCase()));
}

const Milestone = z.object({ number: z.int(), title: z.string() });

/** The number of the milestone with this title or number. */
async function milestoneNumber(pages: AsyncIterable<unknown[]>, wanted: string): Promise<number> {
  const all: z.infer<typeof Milestone>[] = [];
  for await (const page of pages) {
    all.push(...page.flatMap((entry) => Milestone.safeParse(entry).data ?? []));
  }
  const found =
    all.find(({ title }) => title === wanted) ??
    all.find(({ title }) => title.toLowerCase() === wanted.trim().toLowerCase()) ??
    all.find(({ number }) => String(number) === wanted.trim());
  if (found) return found.number;
  const titles = all.slice(0, 10).map(({ title }) => `"${title}"`);
  const known =
    titles.length > 0
      ? ` Milestones: ${titles.join(', ')}${all.length > 10 ? ', …' : ''}.`
      : ' The repository has no milestones.';
  throw new FermataError('not_found', `Milestone "${wanted}" not found.${known}`);
}

/** All entries of a list, page by page, for as long as the server names a next page. */
async function* pages(
  request: (url: string) => Promise<GitHubResponse>,
  first: string,
): AsyncGenerator<unknown[], void> {
  const seen = new Set<string>();
  for (let url: string | undefined = first; url !== undefined; ) {
    if (seen.has(url))
      throw new FermataError('invalid', `GitHub returned the same page twice: ${pathOf(url)}`);
    seen.add(url);
    const { json, headers }: GitHubResponse = await request(url);
    if (!Array.isArray(json))
      throw new FermataError('invalid', `GitHub did not return a list for ${pathOf(url)}.`);
    yield json;
    // An empty page is the last one, whatever its header says.
    url = json.length === 0 ? undefined : nextPage(headers.get('link'), url);
  }
}

/** The address with `rel="next"` in a Link header. It must be on the same server, because the token is sent with it. */
function nextPage(link: string | null, current: string): string | undefined {
  for (const [, address = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    const next = new URL(address, current);
    if (next.origin === new URL(current).origin) return next.href;
    throw new FermataError('invalid', `GitHub linked to a next page on another server: ${next.origin}`);
  }
  return undefined;
}

const pathOf = (url: string) => new URL(url).pathname;
