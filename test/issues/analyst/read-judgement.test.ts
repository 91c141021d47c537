import { describe, expect, it } from 'vitest';
import { batchesOf } from '../../../src/issues/analyst/prompt.ts';
import { readJudgement } from '../../../src/issues/analyst/read-judgement.ts';
import { isSecretFile } from '../../../src/issues/analyst/secret-files.ts';
import { checkIssues } from '../../../src/issues/issue.ts';

const [issue] = checkIssues(
  [{ number: 4, title: 'Send a digest', body: 'Send a **digest**,\ndaily or weekly?' }],
  'the test',
);
if (!issue) throw new Error('There is an issue.');

const gap = {
  type: 'scope',
  question: 'Daily or weekly?',
  quote: 'digest, daily or weekly?',
  options: ['Daily', 'Weekly'],
  assumed: 'Daily',
};

function judge(answer: unknown, files: Record<string, string> = {}) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return readJudgement(text, [{ issue: issue as never, hash: 'h' }], (path) => files[path]);
}

function gapsOf(...gaps: object[]) {
  const read = judge({ issues: [{ number: 4, gaps }] });
  return read.kind === 'answer' ? read.value.flatMap((each) => each.gaps) : [];
}

describe('ATT-1 what the Analyst answers', () => {
  it('is read with its covers, its hash and a usable assumption', () => {
    const read = judge({ issues: [{ number: 4, gaps: [{ ...gap, assumed: undefined }], dropped: [] }] });
    expect(read).toMatchObject({
      kind: 'answer',
      value: [{ number: 4, hash: 'h', gaps: [{ covers: ['scope'], assumed: 'Daily', weight: 2 }] }],
    });
  });

  it.each([
    ['word for word, over a line break and marks', 'Send a digest, daily'],
    ['with something left out in the middle', 'Send a … weekly?'],
    ['from the title', 'send a digest'],
  ])('may quote %s', (_, quote) => {
    expect(gapsOf({ ...gap, quote })).toHaveLength(1);
  });

  it.each([
    ['is not there', { quote: 'every hour' }],
    ['is in the wrong order', { quote: 'weekly … digest' }],
    ['is empty of words', { quote: '… … …' }],
    ['is said to be in a file that cannot be read', { quote: 'every hour', place: '../../etc/passwd' }],
  ])('drops a question whose quote %s', (_, wrong) => {
    expect(gapsOf({ ...gap, ...wrong }, gap)).toHaveLength(1);
  });

  it('may quote a file of the repository', () => {
    const quoted = { ...gap, quote: 'every hour', place: 'src/cron.ts' };
    const read = judge({ issues: [{ number: 4, gaps: [quoted] }] }, { 'src/cron.ts': '// every hour' });
    expect(read).toMatchObject({ value: [{ gaps: [{ place: 'src/cron.ts' }] }] });
  });

  it('ATT-4 offers only whole answers, and recommends only with a reason', () => {
    const [blank] = gapsOf({ ...gap, options: ['Daily', 'Every …'] });
    expect(blank?.options).toEqual([]);
    const [unfounded] = gapsOf({ ...gap, recommended: 'Daily' });
    expect(unfounded).not.toHaveProperty('recommended');
    const [founded] = gapsOf({ ...gap, recommended: 'Daily', reason: 'The job runs daily.' });
    expect(founded).toMatchObject({ recommended: 'Daily', reason: 'The job runs daily.' });
  });

  it('keeps the rest if one question cannot be read', () => {
    expect(gapsOf({ type: 'nonsense' }, gap)).toHaveLength(1);
  });

  it.each([
    ['prose', 'There are no gaps.'],
    ['another issue only', { issues: [{ number: 5, gaps: [] }] }],
    ['a list of the wrong shape', { issues: 'none' }],
  ])('is unreadable if it is %s', (_, answer) => {
    expect(judge(answer).kind).toBe('unreadable');
  });

  it('may be questions of its own', () => {
    expect(judge({ open_questions: [{ id: 'q', text: 'Which repository?' }] }).kind).toBe('questions');
  });
});

it('ATT-1 200 issues come in batches that fit, each issue in one of them', () => {
  const issues = checkIssues(
    Array.from({ length: 200 }, (_, index) => ({
      number: index + 1,
      title: 't',
      body: 'x'.repeat(index % 3 ? 100 : 30_000),
    })),
    'the test',
  );
  const batches = batchesOf(issues.map((each) => ({ issue: each, found: [] })));
  expect(batches.flat().map((each) => each.issue.number)).toEqual(issues.map(({ number }) => number));
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(20);
  expect(batches.length).toBeGreaterThan(10);
});

it.each([
  ['.env', true],
  ['a/b/.env.local', true],
  ['deploy/id_rsa', true],
  ['config/aws-credentials.json', true],
  ['src/environment.ts', false],
  ['docs/keys.md', false],
])('ATT-1 whether %s may hold secrets: %s', (path, expected) => {
  expect(isSecretFile(path)).toBe(expected);
});
