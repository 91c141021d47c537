import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { planFolder, planRepository, type TestPhase } from '../cli/run/support/plan-repository.ts';
import { freshFolder, startFermata } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { sh } from '../work/support/repository.ts';

/**
 * Writes a file named after its task into its checkout, and its checkout into a file beside the repository. A task named
 * in the file `fails` gives up after it has written; before that, the first phase of `a` has been merged.
 */
const AGENT = `#!/bin/sh
cat > /dev/null
beside=$(dirname "$0")
name=$(echo "$FERMATA_TASK" | tr / -)
mkdir -p out
if grep -qx "$FERMATA_TASK" "$beside/fails"; then
  echo half-written > "out/$name.txt"
  touch "$beside/began"
  for i in $(seq 300); do git -C "$beside/shop" log --format=%s work | grep -q a--implementation-1 && break; sleep 0.1; done
  echo '{"status":"failed","summary":"I gave up"}'
else
  if [ -s "$beside/fails" ]; then for i in $(seq 300); do [ -e "$beside/began" ] && break; sleep 0.1; done; fi
  echo done > "out/$name.txt"
  echo "$FERMATA_TASK $PWD" >> "$beside/checkouts"
  echo '{"status":"success","summary":"done"}'
fi
`;

/** Plans with phases 1 to `phases`, on branch `work`. */
function plansAt(names: string[], phases: number, fails: string[], env: Record<string, string> = {}) {
  const cwd = freshFolder('shop');
  const beside = join(cwd, '..');
  const program = join(beside, 'agent.sh');
  writeFileSync(program, AGENT, { mode: 0o755 });
  writeFileSync(join(beside, 'fails'), fails.map((task) => `${task}\n`).join(''));
  const ids = Array.from({ length: phases }, (_, index) => String(index + 1));
  for (const name of names)
    planFolder(
      cwd,
      name,
      ids.map((id) => phaseOf(name, id)),
    );
  const { at, git } = planRepository([{ id: '1' }], env, cwd);
  const agent = ['--agent', 'command', '--agent-command', program, '--no-review', '--trust'];
  const start = (name: string, ...more: string[]) => {
    const running = startFermata(['run', `plans/${name}`, ...agent, ...more], at);
    running.child.stdin?.end();
    return running.ended;
  };
  const checkouts = () => readFileSync(join(beside, 'checkouts'), 'utf8').trim().split('\n');
  return { at, git, start, checkouts, cwd, tasks: names.flatMap((name) => ids.map((id) => `${name}/${id}`)) };
}

/** Its gate fails if anything half-written is there. */
const phaseOf = (name: string, id: string): TestPhase => ({
  id,
  gate: `test -f out/${name}-${id}.txt && ! grep -rq half-written out`,
});

/** What the branch has must be one merge of each finished task, and nothing else of any agent. */
function expectMerged(folder: string, finished: string[]): void {
  const merges = sh(folder, 'log', '--first-parent', '--merges', '--format=%s', 'work').split('\n');
  const branches = finished.map((task) => `work--${task.replace('/', '--implementation-')}`);
  expect(merges.sort()).toEqual(branches.map((branch) => `Merge branch '${branch}' into work`).sort());
  const files = sh(folder, 'ls-tree', '--name-only', 'work', 'out/').split('\n');
  expect(files.sort()).toEqual(finished.map((task) => `out/${task.replace('/', '-')}.txt`).sort());
}

describe('TEAM-5 VAR-2 several plans on one feature branch', () => {
  it('a phase of one plan that fails half-way is in no merge of the other’s phase 1, at the same time', async () => {
    const { start, git, cwd, checkouts } = plansAt(['a', 'b'], 1, ['b/1']);
    const [a, b] = await Promise.all([start('a'), start('b')]);
    expect([a.code, b.code], a.stderr + b.stderr).toEqual([0, 1]);
    expectMerged(cwd, ['a/1']);
    expect(git('log', '-p', '--all', '--format=%H', '--not', 'work--b--implementation-1')).not.toContain(
      'half',
    );
    expect(checkouts()).toHaveLength(1);
  }, 120_000);

  longTest.each([2, 3, 5])(
    '%i plans, each in a run of its own at the same time, one with a failing phase',
    async (count) => {
      const names = ['a', 'b', 'c', 'd', 'e'].slice(0, count);
      const { start, cwd, checkouts, tasks } = plansAt(names, 3, ['b/2']);
      const ended = await Promise.all(names.map((name) => start(name, '--parallel', '2')));
      expect(ended.map(({ code }) => code)).toEqual(names.map((name) => (name === 'b' ? 1 : 0)));
      expectMerged(
        cwd,
        tasks.filter((task) => task !== 'b/2'),
      );
      const folders = checkouts().map((line) => line.split(' ')[1]);
      expect(new Set(folders).size).toBe(tasks.length - 1);
    },
    400_000,
  );

  longTest.skipIf(postgresMissing !== undefined).each([
    [2, ['b/2']],
    [3, ['b/2']],
    [5, []],
  ])(
    '%i plans of three phases by three workers, failing: %j: each other phase is merged once in the remote, by one agent in a worktree of its own',
    async (count, fails) => {
      const store = await freshDatabase();
      const names = ['a', 'b', 'c', 'd', 'e'].slice(0, count);
      const { at, start, cwd, checkouts, tasks } = plansAt(names, 3, fails, { FERMATA_STORE: store });
      const finished = tasks.filter((task) => !fails.includes(task));
      const remote = join(cwd, '../team/shop.git');
      sh(cwd, 'clone', '--quiet', '--bare', cwd, remote);
      sh(cwd, 'remote', 'add', 'origin', remote);
      for (const name of names) {
        const queued = await start(name, '--queue');
        expect(queued.code, queued.stderr).toBe(0);
      }
      const workers = [1, 2, 3].map((number) =>
        startFermata(['worker', '--can', 'command', '--slots', '2', '--name', `w${number}`], {
          env: { ...at.env, FERMATA_HOME: join(cwd, `../home-${number}`) },
          limitMs: 400_000,
        }),
      );
      const ledger = await openLedger(store);
      try {
        const [{ id = '' } = {}] = await ledger.projects.list();
        const unfinished = async () =>
          (await ledger.tasks.list(id)).filter(({ status }) => status !== 'closed');
        const isOver = async () => (await unfinished()).every(({ status }) => status === 'blocked');
        for await (const _ of ledger.events.changes(AbortSignal.timeout(300_000))) if (await isOver()) break;
        expect((await unfinished()).map(({ id: task }) => task)).toEqual(fails);
        for (const task of finished) expect(await ledger.runs.of(id, 'execute', task)).toHaveLength(1);
      } finally {
        await ledger.close();
      }
      for (const { child } of workers) child.kill('SIGTERM');
      const stopped = await Promise.all(workers.map(({ ended }) => ended));
      expect(
        stopped.map(({ code }) => code),
        stopped.map(({ stderr }) => stderr).join('\n'),
      ).toEqual([0, 0, 0]);
      expectMerged(remote, finished);
      expect(new Set(checkouts().map((line) => line.split(' ')[1])).size).toBe(finished.length);
      // An unfinished phase keeps its claim, which fences off whoever held it before.
      const claims = sh(remote, 'for-each-ref', '--format=%(refname)', 'refs/fermata').split('\n');
      expect(claims.filter(Boolean)).toEqual(
        fails.map(() => 'refs/fermata/claims/work--b--implementation-2'),
      );
    },
    600_000,
  );
});
