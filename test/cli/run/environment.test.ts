import { expect, test } from 'vitest';
import { fermata, spawnFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 120_000;

test(
  'OPS-7 a gate command that something killed is run again, and no agent is started for it',
  async () => {
    const gate = 'echo x >> ../starts; test $(wc -l < ../starts) -gt 1 || kill -9 $$';
    const place = planRepository([
      { id: '1', steps: [{ do: 'write', path: 'a.txt', content: 'a\n' }], gate },
    ]);
    const { code, stdout, stderr } = await place.run('--json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).result).toBe('done');
    expect(stderr).toMatch(/Gate command check \(.*\) was killed by a signal\. Trying again …/);
    expect(stderr).not.toContain('starts again');
  },
  LONG,
);

/** A run that meets this fault before its first agent. */
function faulty(fault: string) {
  const place = planRepository([{ id: '1', steps: [{ do: 'write', path: 'a.txt', content: 'a\n' }] }]);
  const env = { ...place.at.env, FERMATA_CRASH_AT: `worktree.begin=${fault}` };
  const args = ['run', 'plans/shop', '--agent', 'scripted', '--trust', '--no-review'];
  return { place, died: spawnFermata(args, { ...place.at, env }) };
}

const resumed = ['run', '--resume', 'plans/shop', '--no-review'];

test(
  'OPS-7 a run that died before its first agent resumes with the agent that it was started with',
  async () => {
    const { place, died } = faulty('kill');
    expect((await died).code).toBeNull();
    const { code, stderr } = await fermata(resumed, place.at);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('with scripted');
  },
  LONG,
);

longTest(
  'OPS-7 a folder that Fermata may not write stops a phase without an attempt; then one command takes it up',
  async () => {
    const { place, died } = faulty('EACCES');
    const { code, stdout } = await died;
    expect(code).toBe(1);
    expect(stdout).toContain('Environment: EACCES: injected at worktree.begin. Give yourself access to it.');
    expect((await fermata(['tasks', 'unblock', '--all'], place.at)).stdout).toContain('shop/1');
    const resuming = await fermata(resumed, place.at);
    expect(resuming.code, resuming.stderr).toBe(0);
    expect(resuming.stderr).not.toContain('tries again');
  },
  LONG,
);

longTest(
  'OPS-7 plan status does not show a phase as done if its commits were removed; a rewritten commit message is fine',
  async () => {
    const place = planRepository([
      { id: '1', steps: [{ do: 'write', path: 'a.txt', content: 'a\n' }] },
      { id: '2', dependsOn: ['1'], steps: [{ do: 'write', path: 'b.txt', content: 'b\n' }] },
    ]);
    const start = place.git('rev-parse', 'work');
    expect((await place.run()).code).toBe(0);
    const status = async () =>
      JSON.parse((await fermata(['plan', 'status', 'plans/shop'], place.at)).stdout).data;
    const done = await status();
    expect([done.counts.completed, done.problems]).toEqual([2, []]);

    place.git('checkout', '--quiet', '--', '.');
    place.git(
      'rebase',
      '--quiet',
      '--force-rebase',
      '--exec',
      'git commit --quiet --amend -m Reworded',
      start,
    );
    expect((await status()).counts.completed).toBe(2);

    place.git('reset', '--quiet', '--hard', start);
    const lost = await status();
    expect([lost.counts.completed, lost.counts.blocked]).toEqual([0, 2]);
    expect(lost.problems).toMatchObject([
      { code: 'NOT_IN_BRANCH', message: expect.stringContaining('work no longer contains it') },
      { code: 'NOT_IN_BRANCH', message: expect.stringContaining('tasks reopen shop/2') },
    ]);
  },
  LONG,
);
