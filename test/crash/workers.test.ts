import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { Notification } from '../../src/schema/notification.ts';
import type { Task } from '../../src/schema/task.ts';
import { planRepository, type TestPhase } from '../cli/run/support/plan-repository.ts';
import { doing, taskPlace, write } from '../cli/support/task-place.ts';
import { rolePlaces } from '../ledger/support/role-places.ts';
import { startFermata } from '../support/fermata.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { sh } from '../work/support/repository.ts';

const phase = (id: string, more: Partial<TestPhase> = {}): TestPhase => ({
  id,
  gate: `test -f out/${id}.txt`,
  steps: [{ do: 'write', path: `out/${id}.txt`, content: `${id}\n` }],
  ...more,
});

/** Its first session never ends. */
const stuck = (id: string): TestPhase =>
  phase(id, {
    scenario: {
      counts: 'all',
      invocations: [
        { steps: [{ do: 'wait', ms: 100_000 }] },
        {
          steps: [
            { do: 'write', path: `out/${id}.txt`, content: `${id}\n` },
            { do: 'say', text: '{"status":"success","summary":"done"}' },
          ],
        },
      ],
    },
  });

async function untilTasks(ledger: Ledger, check: (tasks: Task[]) => boolean | Promise<boolean>) {
  const over = AbortSignal.timeout(60_000);
  for await (const _ of ledger.events.changes(over)) {
    const tasks = await all(ledger);
    if (await check(tasks)) return tasks;
  }
  throw new Error(
    `Not in time: ${JSON.stringify((await all(ledger)).map(({ id, status, assignee, blockReason }) => [id, status, assignee, blockReason]))}`,
  );
}

async function all(ledger: Ledger): Promise<Task[]> {
  const [project] = await ledger.projects.list();
  return project ? ledger.tasks.list(project.id) : [];
}

/** A person's clone, a bare remote, and workers that have only their own home. */
function team(cwd: string, env: Record<string, string | undefined>) {
  const remote = join(cwd, '../team/shop.git');
  sh(cwd, 'clone', '--quiet', '--bare', cwd, remote);
  sh(cwd, 'remote', 'add', 'origin', remote);
  const homes: string[] = [];
  return {
    remote,
    start(name: string) {
      const home = join(cwd, '..', name);
      homes.push(home);
      const args = ['worker', '--can', 'scripted', '--slots', '1', '--name', name];
      return startFermata(args, { env: { ...env, FERMATA_HOME: home } });
    },
    /** The clones that the workers made. */
    clones: (projectId: string) =>
      homes.flatMap((home) => {
        const folder = join(home, 'projects', projectId, 'clones');
        const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
        return entries.map(({ name }) => join(folder, name));
      }),
  };
}

describe.skipIf(postgresMissing !== undefined)('workers on PostgreSQL', () => {
  longTest(
    'TEAM-1 TEAM-2 TEAM-3 two workers in separate clones share a plan; when one is killed in a phase, the other finishes it, and each phase is merged once in the remote',
    async () => {
      const { hub: store, worker } = await rolePlaces();
      const place = planRepository([stuck('1'), phase('2'), phase('3', { dependsOn: ['1', '2'] })], {
        FERMATA_STORE: store,
      });
      const { remote, start, clones } = team(place.cwd, { ...place.at.env, FERMATA_STORE: worker });
      const queued = await place.run('--queue', '--trust', '--no-review');
      expect(queued.code, queued.stderr).toBe(0);
      const ledger = await openLedger(store);
      try {
        const first = start('one');
        await untilTasks(ledger, (tasks) =>
          tasks.some(({ id, status }) => id === 'shop/1' && status === 'in_progress'),
        );
        const second = start('two');
        await untilTasks(ledger, (tasks) => tasks.filter(({ status }) => status === 'closed').length === 1);
        first.child.kill('SIGKILL');
        const done = await untilTasks(ledger, (tasks) => tasks.every(({ status }) => status === 'closed'));
        const merges = sh(remote, 'log', '--first-parent', '--merges', '--format=%s', 'work').split('\n');
        expect(merges.map((line) => /implementation-(\d+)/.exec(line)?.[1]).sort()).toEqual(['1', '2', '3']);
        expect(sh(remote, 'ls-tree', '--name-only', 'work', 'out/').split('\n')).toHaveLength(3);
        const [project] = await ledger.projects.list();
        const runs = await ledger.runs.of(project?.id ?? '', 'execute', done[0]?.id ?? '');
        expect(runs.filter(({ end }) => end?.reason === 'ok')).toHaveLength(1);
        second.child.kill('SIGTERM');
        expect(await second.ended).toMatchObject({ code: 0 });
        expect(await ledger.workers.list()).toEqual([]);
        const told = await ledger.events.ofRun(project?.id ?? '', runs[0]?.id ?? '');
        expect(JSON.stringify(told)).toContain('The session of this agent is on another machine');
        const made = clones(project?.id ?? '');
        expect(made).toHaveLength(2);
        const tip = sh(remote, 'rev-parse', 'work');
        for (const clone of [place.cwd, ...made]) {
          sh(clone, 'fetch', '--quiet', 'origin');
          expect(sh(clone, 'rev-parse', 'origin/work')).toBe(tip);
        }
        expect(sh(made[1] ?? '', 'rev-parse', 'work')).toBe(tip);
        expect(sh(remote, 'for-each-ref', 'refs/fermata')).toBe('');
      } finally {
        await ledger.close();
      }
    },
    240_000,
  );

  longTest(
    'TEAM-1 TEAM-4 the merge of a queued task without a plan reaches the remote',
    async () => {
      const { hub: store, worker } = await rolePlaces();
      const place = taskPlace(doing(write('greeting.txt', 'Ahoy\n')), { env: { FERMATA_STORE: store } });
      const { remote, start } = team(place.cwd, { ...place.at.env, FERMATA_STORE: worker });
      await place.cli('tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Write Ahoy into greeting.txt.');
      const queued = await place.work('greet', '--queue');
      expect(queued.code, queued.stderr).toBe(0);
      const ledger = await openLedger(store);
      try {
        const worker = start('one');
        let asked: Notification | undefined;
        await untilTasks(ledger, async () => {
          [asked] = await place.inbox();
          return asked !== undefined;
        });
        await place.cli('answer', asked?.id ?? '', 'Approve');
        await untilTasks(ledger, (tasks) => tasks.every(({ status }) => status === 'closed'));
        expect(sh(remote, 'show', 'main:greeting.txt')).toBe('Ahoy');
        expect(sh(remote, 'log', '--first-parent', '--merges', '--format=%s', 'main')).toBe(
          "Merge branch 'main--task-greet' into main",
        );
        worker.child.kill('SIGTERM');
        expect(await worker.ended).toMatchObject({ code: 0 });
      } finally {
        await ledger.close();
      }
    },
    120_000,
  );
});
