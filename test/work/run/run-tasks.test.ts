import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { FermataError } from '../../../src/schema/error.ts';
import type { Task } from '../../../src/schema/task.ts';
import { type PlanTasksOptions, runTasks } from '../../../src/work/run/run-tasks.ts';
import type { HeldTask } from '../../../src/work/run/task-loop.ts';
import { answers, askFor } from '../../ledger/support/ask.ts';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';

const add = async (ledger: Ledger, projectId: string, tasks: Record<string, string[]>) => {
  for (const [id, dependsOn] of Object.entries(tasks))
    await ledger.tasks.add(
      { projectId, id: `p/${id}`, title: id, dependsOn: dependsOn.map((on) => `p/${on}`) },
      ann,
    );
};

const crewOf = (
  ledger: Ledger,
  projectId: string,
  execute: PlanTasksOptions['execute'],
  more: Partial<PlanTasksOptions> = {},
): PlanTasksOptions => ({
  ledger,
  projectId,
  by: coder,
  within: 'p/',
  parallel: 2,
  stays: () => false,
  signal: new AbortController().signal,
  execute,
  ...more,
});

const close = (ledger: Ledger, { task }: HeldTask) =>
  ledger.tasks.close(task.projectId, task.id, coder, task.fence);

describe('working through tasks', () => {
  eachStore((store) => {
    it('RUN-1 takes what is ready, never more at once than allowed, and ends when all are closed', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [], 2: ['1'], 3: ['1'], 4: ['1'], 5: ['2', '3', '4'] });
      await ledger.tasks.add({ projectId: project, id: 'other/1', title: 'not of this plan' }, ann);
      const order: string[] = [];
      let now = 0;
      let most = 0;
      const standing = await runTasks(
        crewOf(ledger, project, async (held) => {
          now += 1;
          most = Math.max(most, now);
          order.push(held.task.title);
          // The second one does not end before a third has started beside it.
          while (order.length === 2) await new Promise((done) => setTimeout(done, 5));
          now -= 1;
          await close(ledger, held);
        }),
      );
      expect(standing).toEqual({ open: 0, in_progress: 0, blocked: 0, closed: 5, asking: 0 });
      expect(order[0]).toBe('1');
      expect(order.at(-1)).toBe('5');
      expect(order).toHaveLength(5);
      expect(most).toBe(2);
      expect((await ledger.tasks.get(project, 'other/1')).status).toBe('open');
    });

    it('RUN-2 a task that fails is blocked with its reason; what depends on it waits, the others continue', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [], 2: ['1'], 3: [] });
      const execute = async (held: HeldTask) => {
        if (held.task.title === '1') throw new Error('the disk is on fire');
        await close(ledger, held);
      };
      expect(await runTasks(crewOf(ledger, project, execute))).toMatchObject({
        open: 1,
        blocked: 1,
        closed: 1,
        asking: 0,
      });
      expect(await ledger.tasks.get(project, 'p/1')).toMatchObject({
        blockReason: 'Failed: the disk is on fire',
      });
    });

    it('RUN-2 LED-8 only the asker waits; if nobody waits for answers, the run ends', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [], 2: [], 3: ['1'] });
      const execute = async (held: HeldTask) => {
        if (held.task.title === '1') await askFor(ledger, project, 'p/1', { fence: held.task.fence });
        else await close(ledger, held);
      };
      expect(await runTasks(crewOf(ledger, project, execute))).toMatchObject({
        open: 1,
        blocked: 1,
        closed: 1,
        asking: 1,
      });
    });

    it.each([
      ['says so', true],
      ['asks by a command of its own', false],
    ])(
      'RUN-1 an agent that waits alive and %s takes up no slot, and continues when it is answered',
      async (_, says) => {
        const { ledger, project } = await store.start();
        await add(ledger, project, { 1: [], 2: [], 3: [] });
        const execute = async (held: HeldTask) => {
          if (held.task.title === '1') {
            const asked = await askFor(ledger, project, 'p/1', { fence: held.task.fence, keep: true });
            if (says) held.onHold(true);
            await ledger.notifications.wait(project, asked.id, held.signal);
            if (says) held.onHold(false);
          }
          await close(ledger, held);
          if (held.task.title === '3') {
            const [open] = (await ledger.notifications.list({ projectId: project, status: ['open'] }))
              .notifications;
            await ledger.notifications.resolve(project, open?.id ?? '', answers({ q1: 'x' }), ann);
          }
        };
        expect(
          await runTasks(crewOf(ledger, project, execute, { parallel: 1, stays: () => true })),
        ).toMatchObject({
          closed: 3,
        });
      },
    );

    it('TEAM-3 a run is known to be alive until it ends, so others leave tasks with its sessions to it', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [] });
      const elsewhere = () =>
        ledger.tasks.claimNext(project, { worker: 'w', leaseSeconds: 60 }, ann, { within: 'p/', home: 'b' });
      const execute = async ({ task }: HeldTask) => {
        await ledger.tasks.release(project, task.id, task.fence, ann);
        expect(await elsewhere(), 'while it runs').toBeUndefined();
        stop.abort();
      };
      const stop = new AbortController();
      await runTasks(crewOf(ledger, project, execute, { home: 'a', signal: stop.signal }));
      expect(await elsewhere(), 'afterwards').toMatchObject({ id: 'p/1' });
    });

    it('RUN-4 two runs share the tasks, and each is done once', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      await add(
        ledger,
        project,
        Object.fromEntries(Array.from({ length: 12 }, (_, n) => [n, n < 3 ? [] : [String(n - 3)]])),
      );
      const done: string[] = [];
      const options = (mine: Ledger) =>
        crewOf(mine, project, async (held) => {
          done.push(held.task.id);
          await new Promise((resolve) => setTimeout(resolve, 5));
          await close(mine, held);
        });
      const [one, two] = await Promise.all([runTasks(options(ledger)), runTasks(options(other))]);
      expect([one.closed, two.closed]).toEqual([12, 12]);
      expect(done.toSorted()).toEqual([...new Set(done)].toSorted());
    });

    it('OPS-7 what the environment stops is reported once, retried, and blocked with its own reason if it persists', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [], 2: [], 3: [] });
      const tries = new Map<string, number>();
      const told: string[] = [];
      const execute = async (held: HeldTask) => {
        const { title } = held.task;
        tries.set(title, (tries.get(title) ?? 0) + 1);
        if (title === '3') throw new Error('it does not compile');
        if (title === '2' || tries.get(title) !== 3) throw new FermataError('busy', 'index.lock exists.');
        await close(ledger, held);
      };
      const onFault = (fault: string, task?: Task) => told.push(`${task?.id} ${fault}`);
      await runTasks(crewOf(ledger, project, execute, { onFault, patience: [1, 1] }));
      expect(Object.fromEntries(tries)).toEqual({ 1: 3, 2: 3, 3: 1 });
      expect(told.sort()).toEqual(['p/1 index.lock exists.', 'p/2 index.lock exists.']);
      const reasons = (await ledger.tasks.list(project)).map(({ blockReason }) => blockReason);
      expect(reasons).toEqual([null, 'Environment: index.lock exists.', 'Failed: it does not compile']);
    });

    it('RUN-2 a full disk stops everything and blocks no task, wherever it occurs', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [], 2: [] });
      const full = Object.assign(new Error('ENOSPC: no space left on device'), {
        code: 'ENOSPC',
        path: '/x',
      });
      const execute = async () => {
        throw new FermataError('read_only', 'Cannot write x.', { cause: full });
      };
      await expect(runTasks(crewOf(ledger, project, execute))).rejects.toMatchObject({
        code: 'disk_full',
        message: 'The disk is full: /x could not be written. Free some space and try again.',
      });
      expect(await ledger.tasks.standing(project, 'p/')).toMatchObject({
        open: 2,
        blocked: 0,
        in_progress: 0,
      });
    });

    it('RUN-4 a worker that checks before a change learns that another one has the task, changes nothing, and says so', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [] });
      const lost: string[] = [];
      const execute = async ({ task, confirm }: HeldTask) => {
        if (lost.length > 0) return void (await close(ledger, { task } as HeldTask));
        await confirm();
        await ledger.tasks.release(project, task.id, task.fence, coder);
        await ledger.tasks.claim(project, task.id, { worker: 'another', leaseSeconds: 1 }, coder);
        const late = ledger.phases.append(
          project,
          task.id,
          coder,
          () => ({ kind: 'failed', iteration: 1, data: { reason: 'late' } }),
          task.fence,
        );
        await expect(late).rejects.toMatchObject({ code: 'stale' });
        await confirm();
      };
      const onLost = ({ id }: { id: string }, why: string) => lost.push(`${id} ${why}`);
      await runTasks(crewOf(ledger, project, execute, { onLost }));
      expect(lost).toEqual(['p/1 taken']);
      expect(await ledger.phases.list(project, 'p/1')).toEqual([]);
    });

    it('RUN-3 a stop releases all tasks at once', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, { 1: [] });
      const stop = new AbortController();
      const execute = ({ signal }: HeldTask) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
          stop.abort();
        });
      const standing = await runTasks(crewOf(ledger, project, execute, { signal: stop.signal }));
      expect(standing).toMatchObject({ open: 1, in_progress: 0 });
    });
  });
});
