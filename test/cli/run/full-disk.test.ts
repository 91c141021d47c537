import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { isLong } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { fillOnce, makeRoom, smallDisk } from '../../support/small-disk.ts';
import { type PlanRepository, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;
const writes = { do: 'write' as const, path: 'a.txt', content: 'a\n' };

/** Nothing failed, nothing is blocked, and nothing was done twice: with space, it continues. */
async function expectToGoOn(place: PlanRepository, phases: number): Promise<void> {
  const { tasks } = JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout);
  expect(tasks.map(({ blockReason }: { blockReason: string | null }) => blockReason)).toEqual(
    Array(phases).fill(null),
  );
  const resumed = await place.run('--resume');
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(place.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(phases);
  expect(place.git('fsck', '--no-dangling')).toBe('');
  for (let id = 1; id <= phases; id++) {
    expect(readFileSync(join(place.cwd, `plans/shop/phase-${id}.md`), 'utf8')).toContain('Completed');
  }
}

const moments = [
  {
    when: 'a worktree is made',
    steps: (_: string) => [writes],
    gate: (_: string) => 'test -f a.txt',
    full: 'git worktree could not write',
  },
  {
    when: 'an agent works',
    steps: (disk: string) => [writes, { do: 'run' as const, command: fillOnce(disk) }],
    gate: (_: string) => 'test -f a.txt',
    full: 'git update-index could not write',
  },
  {
    when: 'a gate command wants to write',
    steps: (_: string) => [writes],
    gate: (disk: string) => `${fillOnce(disk)}; dd if=/dev/zero of=${disk}/report.bin bs=5k count=1`,
    full: 'no space left',
  },
  {
    when: 'a phase is merged',
    steps: (_: string) => [writes],
    gate: (disk: string) => `${fillOnce(disk)}; test -f a.txt`,
    full: 'git [a-z-]+ could not write',
  },
];

test.for(isLong ? moments : moments.slice(0, 1))(
  'CLI-EXIT-1 RUN-2 the disk of the repository is full when $when: the run ends with a sentence, no phase does',
  {
    timeout: LONG,
  },
  async ({ when, steps, gate, full }, { skip }) => {
    const disk = smallDisk(4096);
    if (disk === undefined) return skip('only root can mount a small disk');
    const home = freshFolder('home');
    const cwd = join(disk, 'shop');
    mkdirSync(cwd);
    const phases = [{ id: '1', steps: steps(disk), gate: gate(disk) }];
    const place = planRepository(phases, { FERMATA_HOME: home }, cwd);
    if (when === 'a worktree is made') {
      writeFileSync(join(cwd, '.git/fermata-clone'), randomUUID()); // otherwise this is what fails first
      execFileSync('sh', ['-c', `${fillOnce(disk)}; true`]);
    }
    const { code, stderr, stdout } = await place.run('--json');
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^fermata: The disk is full: ${full}.* (?:in|to) ${disk}\\S*\\. Free some space and try again\\.$`,
        'm',
      ),
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'disk_full' } });
    makeRoom(disk);
    await expectToGoOn(place, 1);
  },
);

longTest(
  'CLI-EXIT-1 LED-3 RUN-2 if the disk of the ledger and the worktrees is full, it says so and continues once there is space',
  {
    timeout: LONG,
  },
  async ({ skip }) => {
    const disk = smallDisk(4096);
    if (disk === undefined) return skip('only root can mount a small disk');
    const steps = [writes, { do: 'run' as const, command: `${fillOnce(disk)}; true` }];
    const place = planRepository([{ id: '1', steps, gate: 'test -f a.txt' }], {
      FERMATA_HOME: join(disk, 'home'),
    });
    const { code, stderr } = await place.run();
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/^fermata: The disk is full: .*Free some space and try again\.$/im);
    makeRoom(disk);
    await expectToGoOn(place, 1);
  },
);
