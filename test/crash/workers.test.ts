import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { planRepository, type TestPhase } from '../cli/run/support/plan-repository.ts';
import { startFermata } from '../support/fermata.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';

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

async function untilTasks(ledger: Ledger, check: (tasks: Awaited<ReturnType<typeof all>>) => boolean) {
  const over = AbortSignal.timeout(60_000);
  for await (const _ of ledger.events.changes(over)) {
    const tasks = await all(ledger);
    if (check(tasks)) return tasks;
  }
  throw new Error(
    `Not in time: ${JSON.stringify((await all(ledger)).map(({ id, status, assignee, blockReason }) => [id, status, assignee, blockReason]))}`,
  );
}

async function all(ledger: Ledger) {
  const [project] = await ledger.projects.list();
  return project ? ledger.tasks.list(project.id) : [];
}

describe.skipIf(postgresMissing !== undefined)('workers on PostgreSQL', () => {
  it('TEAM-2 TEAM-3 two workers share a plan; when one is killed in a phase, the other finishes it, and each phase is merged once', async () => {
    const store = await freshDatabase();
    const place = planRepository(
      [stuck('1'), phase('2'), phase('3', { dependsOn: ['1'] }), phase('4', { dependsOn: ['2'] })],
      {
        FERMATA_STORE: store,
      },
    );
    const queued = await place.run('--queue', '--trust', '--no-review');
    expect(queued.code, queued.stderr).toBe(0);
    const ledger = await openLedger(store);
    try {
      const start = (name: string) => {
        const env = { ...place.at.env, FERMATA_HOME: join(place.cwd, '..', name) };
        return startFermata(['worker', '--can', 'scripted', '--slots', '1', '--name', name], {
          ...place.at,
          env,
        });
      };
      const first = start('one');
      await untilTasks(ledger, (tasks) =>
        tasks.some(({ id, status }) => id === 'shop/1' && status === 'in_progress'),
      );
      const second = start('two');
      await untilTasks(ledger, (tasks) => tasks.filter(({ status }) => status === 'closed').length === 2);
      first.child.kill('SIGKILL');
      const done = await untilTasks(ledger, (tasks) => tasks.every(({ status }) => status === 'closed'));
      const merges = place.git('log', '--merges', '--format=%s', 'work').split('\n');
      expect(new Set(merges).size).toBe(4);
      expect(merges).toHaveLength(4);
      const [project] = await ledger.projects.list();
      const runs = await ledger.runs.of(project?.id ?? '', 'execute', done[0]?.id ?? '');
      expect(runs.filter(({ end }) => end?.reason === 'ok')).toHaveLength(1);
      second.child.kill('SIGTERM');
      expect(await second.ended).toMatchObject({ code: 0 });
      expect(await ledger.workers.list()).toEqual([]);
      const told = await ledger.events.ofRun(project?.id ?? '', runs[0]?.id ?? '');
      expect(JSON.stringify(told)).toContain('The session of this agent is on another machine');
    } finally {
      await ledger.close();
    }
  }, 240_000);
});
