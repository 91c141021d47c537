import { describe, expect, it } from 'vitest';
import { readGitHubIssues } from '../../../src/issues/github/read-issues.ts';
import { applyUpdates, previewUpdates } from '../../../src/issues/github/updates.ts';
import { checkIssues } from '../../../src/issues/issue.ts';
import { fakeGh } from './support/fake-gh.ts';
import { gitHub, once, type StoredIssue } from './support/github.ts';

const issue = (number: number, ...comments: string[]) => ({
  number,
  title: 't',
  comments: comments.map((body) => ({ body })),
});
const answers = [
  { question: 'Which store?', answer: 'SQLite', issues: [1, 2] },
  { question: 'How is it checked?', answer: ['By tests', 'By hand'], issues: [1] },
  { question: 'Skipped?', answer: undefined, issues: [1, 3] },
];

describe('answers back to the tracker', () => {
  it('each issue gets its own answers in one comment; what was skipped is never there (GAP-5)', () => {
    const updates = previewUpdates(answers, checkIssues([issue(1), issue(2), issue(3)], 'x'));
    expect(updates.map((update) => update.issue)).toEqual([1, 2]);
    expect(updates[0]?.text).toMatch(
      /Answers to open questions[\s\S]*\*\*Which store\?\*\*\n\nSQLite[\s\S]*- By tests\n- By hand/,
    );
    expect(updates[1]?.text).not.toContain('checked');
    expect(JSON.stringify(updates)).not.toContain('Skipped?');
  });

  it('leaves out an answer that is already there, but not a different one to the same question (GAP-5)', () => {
    const [first] = previewUpdates(answers.slice(0, 1), checkIssues([issue(2)], 'x'));
    const there = checkIssues([issue(2, `Some words. ${first?.text}`)], 'x');
    expect(previewUpdates(answers, there)).toEqual([]);
    const changed = [{ question: 'Which store?', answer: 'PostgreSQL', issues: [2] }];
    expect(previewUpdates(changed, there)).toHaveLength(1);
  });

  it('a question that quotes an issue mentions nobody and cannot forge a marker; long ones become several comments (GAP-5)', () => {
    const [mark] = previewUpdates(answers, checkIssues([issue(2)], 'x'))[0]?.marks ?? [];
    const hostile = [{ question: `@everyone ${mark}\n# x`, answer: `${mark}`, issues: [4] }];
    const [update] = previewUpdates(hostile, checkIssues([issue(4)], 'x'));
    expect(update?.text).not.toContain('@everyone');
    expect(update?.text).not.toContain(mark);
    expect(update?.text).not.toMatch(/^# x/m);
    const long = Array.from({ length: 5 }, (_, index) => ({
      question: `Q${index}`,
      answer: 'x'.repeat(25_000),
      issues: [1],
    }));
    const updates = previewUpdates(long, checkIssues([issue(1)], 'x'));
    expect(updates.length).toBeGreaterThan(1);
    expect(updates.every(({ text }) => text.length < 65_536)).toBe(true);
    expect(updates.flatMap(({ marks }) => marks)).toHaveLength(5);
  });

  it('are written over the REST API once, however often it is repeated (GAP-5)', async () => {
    const stored: StoredIssue[] = [
      { number: 1, title: 'a', comments: ['Earlier.'] },
      { number: 2, title: 'b' },
    ];
    const { env } = await gitHub(stored, { perPage: 1 });
    const updates = previewUpdates(answers, await readGitHubIssues({ repo: 'o/r' }, { env }));
    expect(await applyUpdates('o/r', updates, { env })).toEqual([
      { issue: 1, status: 'written', url: expect.stringContaining('/issues/1#c2') },
      { issue: 2, status: 'written', url: expect.stringContaining('/issues/2#c1') },
    ]);
    expect((await applyUpdates('o/r', updates, { env })).map(({ status }) => status)).toEqual([
      'already there',
      'already there',
    ]);
    expect(stored.map(({ comments }) => comments?.length)).toEqual([2, 1]);
    expect(previewUpdates(answers, await readGitHubIssues({ repo: 'o/r' }, { env }))).toEqual([]);
  });

  it('a comment whose response was lost is not sent twice; one failing issue does not block the others (GAP-5)', async () => {
    const stored: StoredIssue[] = [{ number: 2, title: 'b' }];
    const { env, replies, calls } = await gitHub(stored);
    const updates = previewUpdates(answers, checkIssues([issue(1), issue(2)], 'x'));
    replies.push(
      () => false,
      () => false,
      once(500, {}),
    );
    expect(await applyUpdates('o/r', updates, { env })).toEqual([
      { issue: 1, status: 'failed', message: expect.stringContaining('HTTP 404') },
      { issue: 2, status: 'failed', message: expect.stringContaining('HTTP 500') },
    ]);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await applyUpdates('o/r', updates.slice(1), { env }))[0]?.status).toBe('written');
  });

  it('are written with gh, with the text on stdin (GAP-5)', async () => {
    const viewed = { stdout: JSON.stringify({ number: 2, title: 'b', comments: [] }) };
    const gh = fakeGh(viewed, { stdout: 'https://github.com/o/r/issues/2#issuecomment-9\n' });
    const updates = previewUpdates(answers, checkIssues([issue(2)], 'x'));
    expect(await applyUpdates('o/r', updates, { env: gh.env })).toEqual([
      { issue: 2, status: 'written', url: 'https://github.com/o/r/issues/2#issuecomment-9' },
    ]);
    const { args, input } = gh.calls()[1] ?? { args: [], input: '' };
    expect(args).toEqual(['issue', 'comment', '2', '--body-file', '-', '--repo', 'o/r']);
    expect(input).toBe(updates[0]?.text);
  });
});
