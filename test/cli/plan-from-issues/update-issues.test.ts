import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitHub, type StoredIssue } from '../../issues/github/support/github.ts';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { inTerminal } from '../../support/pty.ts';
import { LONG, library } from './support/place.ts';

async function onGitHub() {
  const at = library();
  const stored: StoredIssue[] = [
    {
      number: 3,
      title: 'Mail',
      body: 'We could use Postmark or SendGrid, not decided yet. Readers get one mail a day.',
    },
    { number: 4, title: 'Make the search better', body: 'The search should be better and faster.' },
  ];
  const server = await gitHub(stored);
  const answers = [
    { id: 'tech_stack-3', answer: 'Postmark' },
    { id: 'scope-4', answer: 'skip' },
  ];
  writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers }));
  const env = { ...at.env, GITHUB_API_URL: server.url, GITHUB_TOKEN: 'ghs_rightrightrightright' };
  const command = [
    'plan-from-issues',
    '--repo',
    'o/r',
    '--agent',
    'scripted',
    '--answers-file',
    'answers.json',
  ];
  return {
    at: { ...at, env },
    stored,
    command,
    run: (...args: string[]) => fermata([...command, ...args], { cwd: at.cwd, env }),
  };
}

describe('GAP-1 GAP-5 answers and the tracker', { timeout: LONG }, () => {
  test('nothing is written without --update-issues', async () => {
    const { stored, run } = await onGitHub();
    const { code } = await run('--max-questions', '0');
    expect(code).toBe(0);
    expect(stored.flatMap(({ comments }) => comments ?? [])).toEqual([]);
  });

  test('with it, answers are written after a preview, skipped and open questions are not, and a second time writes nothing', async () => {
    const { stored, run } = await onGitHub();
    const first = await run('--max-questions', '0', '--update-issues');
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/Comment on o\/r#3:\n[\s\S]*Postmark[\s\S]*#3: written/);
    expect(stored.map(({ comments }) => comments?.length ?? 0)).toEqual([1, 0]);
    const second = await run('--max-questions', '0', '--update-issues');
    expect(second.stderr).toMatch(/Nothing new to write|#3: already there/);
    expect(stored.map(({ comments }) => comments?.length ?? 0)).toEqual([1, 0]);
  });

  longTest('at a terminal, answers are written only after a yes', async () => {
    const { at, stored, command } = await onGitHub();
    const terminal = inTerminal([...command, '--max-questions', '0', '--update-issues'], at);
    await terminal.shows(/Comment on o\/r#3[\s\S]*Write 1 comment\? \(y\/N\) › /);
    terminal.type('\r');
    await terminal.shows(/Nothing was written/);
    expect(await terminal.ended).toBe(0);
    expect(stored[0]?.comments).toBeUndefined();
  });

  test('issues from a folder have no tracker', async () => {
    const at = library();
    const { code, stderr } = await at.run('--update-issues');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/needs a GitHub repository/)]);
  });
});
