import { describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { WorkerTasks } from '../../src/work/worker/worker-tasks.ts';
import { postgresMissing } from '../support/fresh-database.ts';
import { longTest } from '../support/long-test.ts';
import { freshServer } from './support/fresh-server.ts';
import { ann } from './support/people.ts';
import { testStore } from './support/test-store.ts';

describe.skipIf(postgresMissing !== undefined)('jobs on PostgreSQL', () => {
  const store = testStore('PostgreSQL', freshServer, openLedger);

  const ordered = async (count: number) => {
    const { ledger, project } = await store.start();
    const tasks = Array.from({ length: count }, (_, index) => ({
      projectId: project,
      id: `p/${index}`,
      title: 'x',
    }));
    await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, tasks, new Set(), ann);
    await ledger.queue.place(
      {
        projectId: project,
        scope: 'p/',
        needs: ['claude'],
        options: { featureBranch: 'p', remote: null, options: { agent: 'claude' } },
      },
      ann,
    );
    return { ledger, project };
  };

  const jobs = (project: string, state = 'created') =>
    store.sql<{ task: string }>(
      "select data->>'taskId' as task from fermata_jobs.job where name = $1 and state = $2 order by created_on",
      `work ${project} claude`,
      state,
    );

  const worker = (ledger: Ledger, project: string, home = 'h') =>
    new WorkerTasks({ ledger, by: ann, home, abilities: ['claude'], projects: [project] });

  it('TEAM-2 a job is stored with the row that it belongs to, or not at all', async () => {
    const { ledger, project } = await ordered(1);
    expect(await jobs(project)).toEqual([{ task: 'p/0' }]);
    const task = await worker(ledger, project).take();
    expect(task).toMatchObject({ id: 'p/0', status: 'in_progress' });
    expect(await jobs(project)).toEqual([]);
    expect(await jobs(project, 'completed')).toHaveLength(1);
    const release = () => ledger.tasks.release(project, 'p/0', task?.fence ?? 0, ann);
    await store.whileFailing('events', 'insert', async () => {
      await expect(release()).rejects.toThrow('injected');
    });
    expect(await jobs(project)).toEqual([]);
    await release();
    expect(await jobs(project)).toEqual([{ task: 'p/0' }]);
  });

  it('TEAM-2 a lost job and a doubled one do no harm', async () => {
    const { ledger, project } = await ordered(2);
    await store.sql('delete from fermata_jobs.job where name = $1', `work ${project} claude`);
    expect((await worker(ledger, project).take())?.id).toBe('p/0');
    const group = { projectId: project, needs: 'claude' };
    await store.sql(
      'insert into fermata_jobs.job (name, data) select $1, \'{"taskId":"p/0"}\'::jsonb from generate_series(1, 2)',
      `work ${project} claude`,
    );
    expect((await worker(ledger, project, 'other').take())?.id).toBe('p/1');
    expect(await ledger.jobs?.take(group)).toBeUndefined();
    expect(await worker(ledger, project, 'third').take()).toBeUndefined();
  });

  longTest(
    'TEAM-2 however many tasks are ready, only a limited number have a job, and the next ones follow',
    async () => {
      const { ledger, project } = await ordered(250);
      expect(await jobs(project)).toHaveLength(100);
      const source = worker(ledger, project);
      const taken = [await source.take(), await source.take(), await source.take()];
      expect(taken.map((task) => task?.id)).toEqual(['p/0', 'p/1', 'p/2']);
      expect(await jobs(project)).toHaveLength(100);
      expect((await jobs(project)).at(-1)).toEqual({ task: 'p/102' });
    },
  );

  it('TEAM-2 scheduled work is done by one of all workers', async () => {
    const { ledger } = await store.start();
    const supervision = await ledger.jobs?.supervise();
    try {
      await store.sql("insert into fermata_jobs.job (name) values ('regular')");
      const turns = [await ledger.jobs?.takesTurn(), await ledger.jobs?.takesTurn()];
      expect(turns).toEqual([true, false]);
    } finally {
      await supervision?.stop();
    }
  });
});
