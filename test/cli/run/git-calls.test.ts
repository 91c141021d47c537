import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { planRepository } from './support/plan-repository.ts';

/**
 * Each call costs some milliseconds, in every phase; only the check whether the branch has the plan is once per run. Seven of
 * them read what was committed, gated and merged.
 */
const MAX = 36;

test('RUN-1 starts git only a few times for a phase', async () => {
  const started = watchProcesses();
  const steps = [{ do: 'write' as const, path: 'a.txt', content: 'a\n' }];
  const { code, stderr } = await planRepository([{ id: '1', steps, gate: 'test -f a.txt' }]).run();
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('not committed');
  const calls = started()
    .filter(({ spawnfile }) => spawnfile === 'git')
    .map(({ spawnargs }) => spawnargs.join(' '));
  expect(calls).toContainEqual(expect.stringMatching(/^git worktree add /));
  expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(MAX);
});

/** Counts the processes started from now on. */
function watchProcesses(): () => ChildProcess[] {
  const started: ChildProcess[] = [];
  const take = (message: unknown) => started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', take);
  onTestFinished(() => {
    unsubscribe('child_process', take);
  });
  return () => started;
}
