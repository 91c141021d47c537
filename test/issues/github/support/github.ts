import { onTestFinished } from 'vitest';
import { type Call, listenOnLoopback, sendJson } from '../../../support/model/loopback.ts';

export interface StoredIssue {
  number: number;
  title: string;
  body?: string | null;
  labels?: string[];
  milestone?: { number: number; title: string };
  state?: string;
  pull_request?: object;
  comments?: string[];
}

type Reply = (call: Call) => boolean | Promise<boolean>;

/** A server on loopback that speaks GitHub's API for one repository, in pages of `perPage` at most. */
export async function gitHub(
  stored: StoredIssue[],
  { perPage = 100, token = 'ghs_rightrightrightright', repo = 'o/r' } = {},
) {
  const calls: { method: string; path: string; query: string; authorization: string | undefined }[] = [];
  /** Responses for the next calls; false lets a call through. */
  const replies: Reply[] = [];
  const server = await listenOnLoopback(async (call) => {
    const { method, path, query, headers, response } = call;
    calls.push({ method, path, query: query.toString(), authorization: headers.authorization });
    const reply = replies.shift();
    if (reply && (await reply(call))) return;
    if (headers.authorization !== undefined && headers.authorization !== `Bearer ${token}`) {
      return sendJson(response, 401, { message: 'Bad credentials' });
    }
    const [, , , , kind, number, comments] = path.split('/');
    if (!path.startsWith(`/repos/${repo}/`)) return sendJson(response, 404, { message: 'Not Found' });
    const issue = stored.find((each) => String(each.number) === number);
    if (kind === 'milestones') return page(call, milestones());
    if (number === undefined) return page(call, listed(query));
    if (!issue) return sendJson(response, 404, { message: 'Not Found' });
    if (comments === undefined) return sendJson(response, 200, shown(issue));
    if (method === 'GET')
      return page(
        call,
        (issue.comments ?? []).map((body) => ({ body })),
      );
    const { body } = JSON.parse(call.body) as { body: string };
    issue.comments = [...(issue.comments ?? []), body];
    return sendJson(response, 201, {
      html_url: `https://github.com/o/r/issues/${number}#c${issue.comments.length}`,
    });
  });
  onTestFinished(() => server.stop());

  function page({ query, path, response }: Call, all: unknown[]): void {
    const size = Math.min(perPage, Number(query.get('per_page') ?? 30));
    const at = Number(query.get('page') ?? 1);
    const next = new URLSearchParams(query);
    next.set('page', String(at + 1));
    const link =
      at * size < all.length
        ? { link: `<${server.url}${path}?${next}>; rel="next", <${server.url}${path}>; rel="last"` }
        : {};
    sendJson(response, 200, all.slice((at - 1) * size, at * size), link);
  }

  function listed(query: URLSearchParams): unknown[] {
    const labels = query.get('labels')?.split(',') ?? [];
    const milestone = query.get('milestone');
    return stored
      .filter(({ state = 'open' }) => state === query.get('state'))
      .filter((issue) => labels.every((label) => issue.labels?.includes(label)))
      .filter((issue) => milestone === null || String(issue.milestone?.number) === milestone)
      .sort((a, b) => b.number - a.number)
      .map(shown);
  }

  const milestones = () => [
    ...new Map(
      stored.flatMap(({ milestone }) => (milestone ? [[milestone.number, milestone] as const] : [])),
    ).values(),
  ];

  return {
    url: server.url,
    calls,
    replies,
    token,
    env: { GITHUB_API_URL: server.url, GITHUB_TOKEN: token, PATH: '' },
  };
}

function shown({ comments, labels = [], state = 'open', ...issue }: StoredIssue): object {
  return {
    ...issue,
    state,
    labels: labels.map((name) => ({ id: 1, name, color: 'red' })),
    comments: comments?.length ?? 0,
    html_url: `https://github.com/o/r/issues/${issue.number}`,
    created_at: '2026-01-02T03:04:05Z',
  };
}

/** Answers once with a status and headers. */
export const once =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  ({ response }) => {
    sendJson(response, status, body, headers);
    return true;
  };
