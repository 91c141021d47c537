import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { planRepository } from './run/support/plan-repository.ts';
import { doing, taskPlace, write } from './support/task-place.ts';

const writes = (id: string) => ({ do: 'write' as const, path: `out/${id}.txt`, content: `${id}\n` });

const statuses = async (store: string) => {
  const ledger = await openLedger(store);
  try {
    const [project] = await ledger.projects.list();
    return (await ledger.tasks.list(project?.id ?? '')).map(({ status }) => status);
  } finally {
    await ledger.close();
  }
};

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await check()) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error('It did not happen.');
}

describe('fermata worker', () => {
  it('CLI-worker TEAM-2 does the phases of a queued plan, and stops cleanly', async () => {
    const place = planRepository([
      { id: '1', gate: 'test -f out/1.txt', steps: [writes('1')] },
      { id: '2', dependsOn: ['1'], gate: 'test -f out/1.txt', steps: [writes('2')] },
    ]);
    const queued = await place.run('--queue', '--trust', '--no-review');
    expect(queued).toMatchObject({ code: 0 });
    expect(queued.stdout).toBe(
      '2 phases of shop are queued for workers with scripted. Finished phases are merged into work.\n',
    );
    const store = `${place.at.env?.FERMATA_HOME}/ledger.db`;
    expect(await statuses(store)).toEqual(['open', 'open']);
    const waits = (await fermata(['tasks', 'show', 'shop/1'], place.at)).stdout;
    expect(waits).toMatch(/Workers +waits for a worker with scripted\n/);
    const worker = startFermata(['worker', '--can', 'scripted'], place.at);
    await until(async () => (await statuses(store)).every((status) => status === 'closed'));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    expect(place.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(2);
  });

  longTest(
    'CLI-worker TEAM-2 TEAM-4 does a queued task without a plan, waits for its approval, and merges it',
    async () => {
      const place = taskPlace(doing(write('greeting.txt', 'Ahoy\n')));
      await place.cli('tasks', 'add', 'Greet', '--id', 'greet', '--body', 'Write Ahoy into greeting.txt.');
      const queued = await place.work('greet', '--queue');
      expect(queued.code, queued.stderr).toBe(0);
      expect(JSON.parse(queued.stdout)).toEqual({ task: 'greet', into: 'main', needs: ['scripted'] });
      const worker = startFermata(['worker', '--can', 'scripted'], place.at);
      await until(async () => (await place.inbox()).length === 1);
      const [asked] = await place.inbox();
      await place.cli('answer', asked?.id ?? '', 'Approve');
      const store = `${place.at.env?.FERMATA_HOME}/ledger.db`;
      await until(async () => (await statuses(store))[0] === 'closed');
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
      expect(place.git('show', 'main:greeting.txt')).toBe('Ahoy');
    },
    120_000,
  );

  it('CLI-worker TEAM-2 says what is wrong with its options', async () => {
    const { at } = planRepository([{ id: '1' }]);
    const unknown = await fermata(['worker', '--project', 'nobody'], at);
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stderr).toContain('There is no project "nobody" in this ledger.');
    const env = { ...at.env, PATH: '/nowhere' };
    const missing = await fermata(['worker', '--can', 'codex'], { ...at, env });
    expect(missing.code).toBe(4);
    expect(missing.stderr).toContain('--can codex: ');
    expect((await fermata(['run', '--needs', 'gpu'], at)).stderr).toContain('Use it with --queue.');
  });
});
