import { describe, expect, it } from 'vitest';
import { readGitHubIssues } from '../../../src/issues/github/read-issues.ts';
import { parseRepo } from '../../../src/issues/github/repo.ts';
import { restClient } from '../../../src/issues/github/rest-client.ts';
import { sendJson } from '../../support/model/loopback.ts';
import { gitHub, once, type StoredIssue } from './support/github.ts';

const many = (count: number): StoredIssue[] =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    title: `Issue ${index + 1}`,
    body: null,
  }));
const numbers = (issues: { number: number }[]) => issues.map(({ number }) => number);
const quick = { timeMs: 10_000, retryMs: [1, 1] };
const client = (env: Record<string, string>, limits = quick, onNotice?: (message: string) => void) =>
  restClient(parseRepo('o/r', env), { env, onNotice }, limits);

describe('issues over the REST API', () => {
  it('all open ones are read, page by page, without pull requests (GAP-1)', async () => {
    const stored = many(25);
    stored.push({ number: 26, title: 'A pull request', pull_request: { url: 'x' } });
    stored.push({ number: 27, title: 'Closed', state: 'closed' });
    const { env, calls } = await gitHub(stored, { perPage: 10 });
    const progress: string[] = [];
    const issues = await readGitHubIssues(
      { repo: 'o/r' },
      { env, onProgress: (message) => progress.push(message) },
    );
    expect(numbers(issues)).toEqual(numbers(many(25)));
    expect(calls).toHaveLength(3);
    expect(progress.at(-1)).toContain('25 issue(s)');
    expect(issues[0]).toMatchObject({
      url: 'https://github.com/o/r/issues/1',
      createdAt: '2026-01-02T03:04:05Z',
      state: 'open',
    });
  });

  it('a limit takes the newest and asks for no more pages than that needs (GAP-1)', async () => {
    const { env, calls } = await gitHub(many(30), { perPage: 10 });
    expect(numbers(await readGitHubIssues({ repo: 'o/r', limit: 12 }, { env }))).toEqual(
      numbers(many(30)).slice(18),
    );
    expect(calls).toHaveLength(2);
  });

  it('filters by labels, even one with a comma, and by milestone: title in any case, or number (GAP-1)', async () => {
    const milestone = { number: 7, title: 'Version 2' };
    const { env } = await gitHub([
      { number: 1, title: 'a', labels: ['bug', 'big, bad'], milestone },
      { number: 2, title: 'b', labels: ['bug'], milestone },
      { number: 3, title: 'c', labels: ['bug', 'big, bad'] },
    ]);
    const read = async (query: object) => numbers(await readGitHubIssues({ repo: 'o/r', ...query }, { env }));
    expect(await read({ labels: ['bug', 'Big, bad'] })).toEqual([1, 3]);
    expect(await read({ milestone: 'version 2' })).toEqual([1, 2]);
    expect(await read({ milestone: '7', labels: ['bug', 'big, bad'] })).toEqual([1]);
    await expect(read({ milestone: 'v3' })).rejects.toThrow(
      'Milestone "v3" not found. Milestones: "Version 2".',
    );
  });

  it('single issues are read by number, and it says which are closed; a pull request is refused (GAP-1)', async () => {
    const { env } = await gitHub([
      { number: 4, title: 'd', state: 'closed', comments: ['Use SQLite.'] },
      { number: 5, title: 'e' },
      { number: 6, title: 'f', pull_request: {} },
    ]);
    const notices: string[] = [];
    const issues = await readGitHubIssues(
      { repo: 'o/r', issues: [5, 4, 5] },
      { env, onNotice: (message) => notices.push(message) },
    );
    expect(issues).toMatchObject([{ number: 4, comments: [{ body: 'Use SQLite.' }] }, { number: 5 }]);
    expect(notices).toEqual(['#4 is closed; reading it anyway.']);
    await expect(readGitHubIssues({ repo: 'o/r', issues: [6] }, { env })).rejects.toThrow(
      '#6 is a pull request',
    );
    await expect(readGitHubIssues({ repo: 'o/r', issues: [9] }, { env })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(readGitHubIssues({ repo: 'o/r', issues: [4], limit: 1 }, { env })).rejects.toThrow(
      'cannot be combined',
    );
  });

  it('without a token public issues are read, their comments are not, and it says so (GAP-1)', async () => {
    const { url, calls } = await gitHub([{ number: 1, title: 'a', comments: ['x'] }]);
    const notices: string[] = [];
    const issues = await readGitHubIssues(
      { repo: 'o/r' },
      { env: { GITHUB_API_URL: url }, onNotice: (message) => notices.push(message) },
    );
    expect(issues).toMatchObject([{ number: 1, comments: [] }]);
    expect(notices[0]).toContain('Set GITHUB_TOKEN');
    expect(calls.map(({ authorization }) => authorization)).toEqual([undefined]);
  });
});

describe('when GitHub fails', () => {
  it.each([
    [401, { message: 'Bad credentials' }, 'forbidden', /HTTP 401.*gh auth login/],
    [403, { message: 'Resource not accessible' }, 'forbidden', /HTTP 403.*Resource not accessible/],
    [404, { message: 'Not Found' }, 'not_found', /repos.*not found \(HTTP 404\)/],
    [410, { message: 'Issues are disabled for this repo' }, 'not_found', /disabled/],
    [422, { message: 'Validation Failed' }, 'unavailable', /HTTP 422.*Validation Failed/],
  ])('HTTP %i is told with what to do, once (GAP-1)', async (status, body, code, message) => {
    const { env, replies, calls } = await gitHub([]);
    replies.push(once(status, body));
    const error = await client(env)
      .list({})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(calls).toHaveLength(1);
  });

  it('a server error is retried a few times (GAP-1)', async () => {
    const { env, replies, calls } = await gitHub(many(1));
    replies.push(once(502, 'bad gateway'), once(503, {}));
    expect(numbers(await client(env).list({}))).toEqual([1]);
    replies.push(once(500, {}), once(500, {}), once(500, {}));
    await expect(client(env).list({})).rejects.toThrow('HTTP 500');
    expect(calls).toHaveLength(6);
  });

  it('it waits for a short rate limit, and says so (GAP-1)', async () => {
    const { env, replies } = await gitHub(many(1));
    const now = String(Math.floor(Date.now() / 1000) - 1);
    replies.push(
      once(429, { message: 'slow down' }, { 'retry-after': '0' }),
      once(
        403,
        { message: 'API rate limit exceeded' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': now },
      ),
    );
    const notices: string[] = [];
    const issues = await client(env, quick, (message) => notices.push(message)).list({});
    expect(numbers(issues)).toEqual([1]);
    expect(notices).toEqual([expect.stringContaining('rate limit'), expect.stringContaining('Waiting 1 s')]);
  });

  it('a long rate limit is an error that says when (GAP-1)', async () => {
    const { env, replies } = await gitHub(many(1));
    const reset = Math.floor(Date.now() / 1000) + 1800;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    replies.push(once(403, { message: 'API rate limit exceeded' }, headers));
    const error = await client(env)
      .list({})
      .catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('exhausted until') });
    const { until } = (error as unknown as { details: { until: string } }).details;
    expect(Math.abs(Date.parse(until) - reset * 1000)).toBeLessThan(3000);
  });

  it('it gives up on a response that does not come (GAP-1)', async () => {
    const { env, replies } = await gitHub(many(1));
    const silent = () => true;
    replies.push(silent, silent);
    await expect(client(env, { timeMs: 100, retryMs: [1] }).list({})).rejects.toThrow('within 0.1 s');
  });

  it('it gives up on a body that never ends (GAP-1)', async () => {
    const { env, replies } = await gitHub(many(1));
    replies.push(({ response, gone }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(4 * 1024 * 1024, 0x20);
      const more = () => {
        while (!gone.aborted && response.write(chunk));
      };
      response.on('drain', more);
      more();
      return true;
    });
    await expect(client(env).list({})).rejects.toThrow('more than 64 MB');
  });

  it.each([
    ['no JSON', '<html>', /not valid JSON/],
    ['no list', { number: 1 }, /not return a list/],
    ['an entry of the wrong shape', [{ number: 1, title: { evil: true } }], /entry 1: title/],
    ['a number beyond bounds', [{ number: 1e300, title: 'x' }], /entry 1: number/],
  ])('%s is a clear error (GAP-1)', async (_, body, message) => {
    const { env, replies } = await gitHub([]);
    const reply = ({ response }: { response: Parameters<typeof sendJson>[0] }) => {
      if (typeof body === 'string') response.writeHead(200).end(body);
      else sendJson(response, 200, body);
      return true;
    };
    replies.push(reply, reply, reply);
    await expect(client(env).list({})).rejects.toThrow(message);
  });

  it('a next page on another server, or the same page again, is refused; the token is not sent there (GAP-1)', async () => {
    const { env, replies, url } = await gitHub(many(1));
    const other = await gitHub([]);
    replies.push(once(200, [{ number: 1, title: 'a' }], { link: `<${other.url}/steal>; rel="next"` }));
    await expect(client(env).list({})).rejects.toThrow('on another server');
    expect(other.calls).toEqual([]);
    const same = once(200, [{ number: 1, title: 'a' }], { link: `<${url}/x>; rel="next"` });
    replies.push(same, same, same);
    await expect(client(env).list({})).rejects.toThrow('same page twice');
  });

  it('a redirect to another server does not get the token (GAP-1)', async () => {
    const { env, replies } = await gitHub(many(1));
    const other = await gitHub([]);
    replies.push(
      once(301, {}, { location: `${other.url.replace('127.0.0.1', 'localhost')}/repos/o/r/issues` }),
    );
    await client(env)
      .list({})
      .catch(() => undefined);
    expect(other.calls.map(({ authorization }) => authorization).filter(Boolean)).toEqual([]);
  });

  it('the token is in no message, whatever comes back (GAP-1)', async () => {
    const { env, replies, token } = await gitHub([]);
    replies.push(once(403, { message: `no access for ${token}` }));
    const error = await client(env)
      .list({})
      .catch((thrown: unknown) => thrown as Error);
    expect(JSON.stringify([(error as Error).message, (error as Error).stack])).not.toContain(token);
    const odd = { ...env, GITHUB_TOKEN: 'secret\u0001value-of-it' };
    expect(() => client(odd)).toThrow(/^GITHUB_TOKEN contains characters/);
    const open = { ...env, GITHUB_API_URL: 'http://github.example' };
    expect(() => client(open)).toThrow('Use https://');
  });

  it('Ctrl-C ends a wait at once (GAP-1)', async () => {
    const { env, replies } = await gitHub([]);
    replies.push(once(429, {}, { 'retry-after': '60' }));
    const stop = new AbortController();
    const reading = restClient(
      parseRepo('o/r', env),
      { env, signal: stop.signal, onNotice: () => stop.abort() },
      quick,
    ).list({});
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
