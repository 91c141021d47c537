import { describe, expect, it } from 'vitest';
import { readGitHubIssues } from '../../../src/issues/github/read-issues.ts';
import { fakeGh } from './support/fake-gh.ts';
import { gitHub } from './support/github.ts';

const listed = (count: number, labels: (number: number) => string[] = () => []) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      number: count - index,
      title: `Issue ${count - index}`,
      body: '',
      labels: labels(count - index).map((name) => ({ name })),
      milestone: { number: 3, title: 'v1' },
      comments: [{ body: 'Yes.' }],
    })),
  );

describe('issues through the gh program', () => {
  it('gh is called without a shell, for all open issues, and its JSON is read (GAP-1)', async () => {
    const gh = fakeGh({ stdout: listed(2) });
    const issues = await readGitHubIssues({ repo: 'o/r' }, { env: gh.env });
    expect(issues).toMatchObject([
      { number: 1, milestone: 'v1', comments: [{ body: 'Yes.' }] },
      { number: 2 },
    ]);
    const [call, ...more] = gh.calls();
    expect(more).toEqual([]);
    expect(call?.args.join(' ')).toMatch(
      /^issue list --state open --limit 1000000 --json number,title,body,labels,\S+ --repo o\/r$/,
    );
    expect(call?.env.GH_PROMPT_DISABLED).toBe('1');
  });

  it('filters reach gh as separate arguments, whatever they contain (GAP-1)', async () => {
    const gh = fakeGh({ stdout: '[]' });
    const query = {
      repo: 'ghe.example/o/r',
      milestone: '$(touch x)',
      labels: ['-f', 'good first; issue'],
      limit: 5,
    };
    expect(await readGitHubIssues(query, { env: gh.env })).toEqual([]);
    const args = gh.calls()[0]?.args ?? [];
    expect(args).toEqual(
      expect.arrayContaining(['--milestone', '$(touch x)', '--label', '-f', 'good first; issue']),
    );
    expect(args.slice(args.indexOf('--limit'), args.indexOf('--limit') + 2)).toEqual(['--limit', '5']);
    expect(args.slice(-2)).toEqual(['--repo', 'ghe.example/o/r']);
  });

  it('the search that gh uses for filters ends at 1,000, so beyond that all issues are read and filtered here (GAP-1)', async () => {
    const label = (number: number) => (number % 2 === 0 ? ['Bug'] : []);
    const gh = fakeGh({ stdout: listed(1000, () => ['Bug']) }, { stdout: listed(2400, label) });
    const issues = await readGitHubIssues({ repo: 'o/r', labels: ['bug'], milestone: '3' }, { env: gh.env });
    expect(issues).toHaveLength(1200);
    expect(gh.calls()[1]?.args).not.toContain('--label');
  });

  it('single issues are viewed; a pull request is refused (GAP-1)', async () => {
    const issue = { number: 8, title: 'h', url: 'https://github.com/o/r/issues/8' };
    const gh = fakeGh(
      { stdout: JSON.stringify(issue) },
      { stdout: JSON.stringify({ ...issue, url: 'https://github.com/o/r/pull/8' }) },
    );
    expect(await readGitHubIssues({ repo: 'o/r', issues: [8] }, { env: gh.env })).toMatchObject([
      { number: 8 },
    ]);
    expect(gh.calls()[0]?.args.slice(0, 3)).toEqual(['issue', 'view', '8']);
    await expect(readGitHubIssues({ repo: 'o/r', issues: [8] }, { env: gh.env })).rejects.toThrow(
      'pull request',
    );
  });

  it('empty output means no issues (GAP-1)', async () => {
    expect(await readGitHubIssues({ repo: 'o/r' }, { env: fakeGh({}).env })).toEqual([]);
  });

  it.each([
    ['{oops', 'invalid', /gh issue list, line 1, column 2: not valid JSON/],
    ['{}', 'invalid', /is not a list/],
    ['[{"number":1}]', 'invalid', /entry 1: title/],
  ])('output that is %s is a clear error (GAP-1)', async (stdout, code, message) => {
    const reading = readGitHubIssues({ repo: 'o/r' }, { env: fakeGh({ stdout }).env });
    await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ["GraphQL: Could not resolve to a Repository with the name 'o/r'.", 'not_found'],
    ['HTTP 401: Bad credentials', 'forbidden'],
    ['HTTP 502: something', 'unavailable'],
    ['', 'unavailable'],
  ])('an error of gh is reported with its message: %s (GAP-1)', async (stderr, code) => {
    const token = 'ghp_0123456789012345678901234567890123456789';
    const gh = fakeGh({ stderr: `${stderr} ${token}`, code: 1 });
    const error = await readGitHubIssues({ repo: 'o/r' }, { env: gh.env }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(stderr || 'redacted') });
    expect((error as Error).message).not.toContain(token);
  });

  it('the REST API is used if gh is not logged in (GAP-1)', async () => {
    const gh = fakeGh({ code: 4, stderr: 'To get started with GitHub CLI, please run:  gh auth login' });
    const notices: string[] = [];
    // The host's own API cannot be reached here; this shows that gh was tried first and then skipped.
    const env = { ...gh.env, GH_HOST: 'localhost:1' };
    const stop = new AbortController();
    await expect(
      readGitHubIssues(
        { repo: 'o/r' },
        {
          env,
          signal: stop.signal,
          onNotice: (message) => {
            notices.push(message);
            if (notices.length > 1) stop.abort();
          },
        },
      ),
    ).rejects.toThrow();
    expect(gh.calls()).toHaveLength(1);
    expect(notices[0]).toContain('gh is not logged in');
  });

  it('gh is not used if GITHUB_API_URL names another server, because gh ignores it (GAP-1)', async () => {
    const gh = fakeGh({ stdout: '[]' });
    const api = await gitHub([{ number: 1, title: 'a' }]);
    expect(await readGitHubIssues({ repo: 'o/r' }, { env: { ...api.env, ...gh.env } })).toHaveLength(1);
    expect(gh.calls()).toEqual([]);
  });

  it('Ctrl-C ends gh (GAP-1)', async () => {
    const gh = fakeGh({ stdout: '[', hangs: true });
    const stop = new AbortController();
    const reading = readGitHubIssues({ repo: 'o/r' }, { env: gh.env, signal: stop.signal });
    await expect.poll(() => gh.calls().length).toBe(1);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });
});
