import { join } from 'node:path';
import { expect } from 'vitest';
import { openLedger } from '../../../../src/ledger/ledger.ts';
import { startFermata } from '../../../support/fermata.ts';
import { sh } from '../../../work/support/repository.ts';
import { planRepository, type TestPhase } from './plan-repository.ts';

/** Runs a plan in two clones at once, each in a home of its own. `dependsOn`: what each phase needs, by its number. */
export async function runInTwoClones(store: string, dependsOn: string[][]): Promise<void> {
  const phases = dependsOn.map(phaseThatNeeds);
  const one = planRepository(phases, { FERMATA_STORE: store });
  const remote = join(one.cwd, '../team/shop.git');
  const two = join(one.cwd, '../two');
  sh(one.cwd, 'clone', '--quiet', '--bare', one.cwd, remote);
  sh(one.cwd, 'remote', 'add', 'origin', remote);
  sh(one.cwd, 'clone', '--quiet', '--branch', 'work', remote, two);
  const args = ['run', 'plans/shop', '--agent', 'scripted', '--wait', '--no-prompt'];
  const clones = [one.cwd, two];
  const runs = clones.map((cwd, index) => {
    const env = { ...one.at.env, FERMATA_HOME: join(one.cwd, `../home-${index}`) };
    return startFermata(args, { cwd, limitMs: 600_000, env });
  });
  for (const { code, stderr, stdout } of await Promise.all(runs.map((run) => run.ended))) {
    expect(code, stderr + stdout).toBe(0);
    expect(stderr).toContain(`merging phases into work at origin (${remote})`);
  }

  const merges = sh(remote, 'log', '--first-parent', '--merges', '--format=%s', 'work').split('\n');
  expect(merges.map((line) => /implementation-(\d+)/.exec(line)?.[1]).sort()).toEqual(
    phases.map(({ id }) => id).sort(),
  );
  expect(sh(remote, 'ls-tree', '--name-only', 'work', 'out/').split('\n')).toHaveLength(phases.length);
  for (const { id } of phases)
    sh(remote, 'merge-base', '--is-ancestor', `work--shop--implementation-${id}`, 'work');
  expect(sh(remote, 'for-each-ref', 'refs/fermata')).toBe('');
  const tip = sh(remote, 'rev-parse', 'work');
  expect(clones.map((cwd) => sh(cwd, 'rev-parse', 'work'))).toEqual([tip, tip]);
  await expectDoneOnce(store, phases);
}

/** Its gate needs the files of the phases that it depends on. */
function phaseThatNeeds(dependsOn: string[], index: number): TestPhase {
  const id = String(index + 1);
  return {
    id,
    dependsOn,
    gate: [id, ...dependsOn].map((each) => `test -f out/${each}.txt`).join(' && '),
    steps: [{ do: 'write', path: `out/${id}.txt`, content: `${id}\n` }],
  };
}

async function expectDoneOnce(store: string, phases: TestPhase[]): Promise<void> {
  const ledger = await openLedger(store);
  try {
    const [project] = await ledger.projects.list();
    const tasks = await ledger.tasks.list(project?.id ?? '');
    expect(tasks.map(({ status }) => status)).toEqual(phases.map(() => 'closed'));
    for (const { id } of tasks)
      expect(await ledger.runs.of(project?.id ?? '', 'execute', id)).toHaveLength(1);
  } finally {
    await ledger.close();
  }
}
