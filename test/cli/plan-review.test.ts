import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { call, makeWorktree, planProject, reviewer } from '../work/support/plan-project.ts';
import { commit } from '../work/support/repository.ts';

const branch = 'feat/shop--implementation-1';

async function started() {
  const main = planProject([{ id: '1' }]);
  await call(main, 'plan', 'start-prompt', '1', '--specialist', 'be', '--worktree', branch);
  const at = makeWorktree(main, branch);
  return { main, at };
}

describe('CLI-review CLI-gemini-review CLI-agent', () => {
  test('CMD-14 LED-10 an answer that cannot be read is sent back once, and is then an error', async () => {
    const { at } = await started();
    commit(at.cwd, 'work', { 'done.txt': 'x\n' });
    await call(at, 'plan', 'record-implementation', '1', '--walkthrough', 'I wrote done.txt');
    const program = reviewer(at, 'All good, passed!');
    const bad = await call(at, 'gemini', 'review', '1', '--agent-command', program);
    expect(bad).toMatchObject({ code: 1, status: 'error', error: { type: 'unreadable_review' } });
    const prompts = [1, 2].map((n) => readFileSync(join(dirname(program), `prompt-${n}`), 'utf8'));
    expect(prompts[0]).toMatch(/AC-1: done\.txt is there[\s\S]*I wrote done\.txt[\s\S]*\+x/);
    expect(prompts[0]).toContain('- Dependency modifications: Notify user but proceed\n');
    const config = JSON.parse(readFileSync(join(dirname(program), 'config.json'), 'utf8'));
    expect(config.autonomy.scopeChanges).toBe('Confirm all changes before proceeding');
    expect(prompts[1]).toContain('It has no JSON object with a "verdict". Answer again');
    const repaired = reviewer(at, 'Hm.', '{"verdict":"passed"}');
    expect(await call(at, 'review', '1', '--agent', 'command', '--agent-command', repaired)).toMatchObject({
      code: 0,
      data: { verdict: 'passed', reviewer: 'command', iteration: 1 },
    });
    const { data } = await call(at, 'plan', 'read-prompt', '1');
    expect(data.reviews).toMatchObject([{ verdict: 'passed' }]);
  });

  test('BIND-1 a reviewer gets what was decided, apart from the diff', async () => {
    const { at } = await started();
    const asked = await fermata(['ask', 'Which colour?', '--timeout', '1s', '--json'], at);
    const { id } = JSON.parse(asked.stdout).notification;
    expect((await fermata(['answer', id, 'Dark green'], at)).code).toBe(0);
    commit(at.cwd, 'work', { 'done.txt': 'x\n' });
    const program = reviewer(at, '{"verdict":"passed"}');
    expect(await call(at, 'review', '1', '--agent-command', program)).toMatchObject({ code: 0 });
    const prompt = readFileSync(join(dirname(program), 'prompt-1'), 'utf8');
    expect(prompt).toMatch(
      /<decision id="d-\S+" by="ann" at="\S+" about="the project">\nQuestion: Which colour\?\nAnswer: Dark green\n<\/decision>/,
    );
  });

  longTest('CMD-14 nothing to review, no reviewer, and one that fails are errors', async () => {
    const { main, at } = await started();
    expect((await call(main, 'review', '1', '--agent-command', 'true')).error?.type).toBe(
      'nothing_to_review',
    );
    commit(at.cwd, 'work', { 'done.txt': 'x\n' });
    expect(await call(at, 'review', '1', '--agent-command', 'no-such-program')).toMatchObject({
      code: 4,
      error: { type: 'agent_failed', message: expect.stringContaining('no-such-program') },
    });
    expect((await call(at, 'review', '1', '--agent-command', 'false')).error?.type).toBe('agent_failed');
    expect((await call(at, 'review', '1', '--agent', 'nobody')).error).toMatchObject({ type: 'invalid' });
    expect((await call(at, 'review', '7')).error?.type).toBe('not_found');
    expect(
      (await call({ ...at, env: { ...at.env, PATH: dirname(process.execPath) } }, 'review', '1')).error?.type,
    ).toBeDefined();
  });
});
