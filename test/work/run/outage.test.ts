import { describe, expect, it, vi } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { diskFull } from '../../../src/schema/disk-full.ts';
import { FermataError } from '../../../src/schema/error.ts';
import { ModelOutage } from '../../../src/work/run/faults.ts';
import { Pauses } from '../../../src/work/run/pauses.ts';
import { type LoopOptions, runLoop } from '../../../src/work/run/task-loop.ts';
import { WakeSignal } from '../../../src/work/run/wake-signal.ts';
import { WorkerTasks } from '../../../src/work/worker/worker-tasks.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';

/** A task that is queued for workers, and a worker's loop for it. */
async function queued(ledger: Ledger, project: string) {
  const ability = `only-${project.toLowerCase().replace(/[^a-z0-9]/g, '')}`.slice(0, 50);
  await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
  const options = { featureBranch: 'main', remote: null, options: { agent: 'scripted' } };
  await ledger.queue.place({ projectId: project, scope: 'a', needs: [ability], options }, ann);
  const stop = new AbortController();
  const { signal } = stop;
  const told: string[] = [];
  const loop = (execute: LoopOptions['execute'], more: Partial<LoopOptions> = {}) =>
    runLoop({
      ...{ ledger, by: ann, parallel: 1, home: 'h', signal, execute, pauses: [20, 40] },
      wake: new WakeSignal((ending) => ledger.events.changes(ending), signal),
      source: new WorkerTasks({
        ...{ ledger, by: ann, home: 'h' },
        ...{ abilities: [ability], projects: [project] },
      }),
      onOutage: ({ message }) => told.push(message),
      ...more,
    });
  return { loop, told, stop };
}

describe('an outage', () => {
  eachStore((store) => {
    it.each([
      ['a model that is away', new ModelOutage('The model is away.', 'fermata run')],
      ['a full disk', diskFull('a file could not be written')],
    ])(
      'TEAM-2 a worker outlasts %s: it gives the task back, says so once and takes it again',
      async (_, outage) => {
        const { ledger, project } = await store.start();
        const { loop, told, stop } = await queued(ledger, project);
        const fences: number[] = [];
        await loop(async ({ task }) => {
          fences.push(task.fence);
          if (fences.length < 4) throw outage;
          await ledger.tasks.close(project, 'a', ann, task.fence);
          stop.abort();
        });
        expect(new Set(fences).size).toBe(4);
        expect(told).toEqual([outage.message]);
        expect(await ledger.tasks.get(project, 'a')).toMatchObject({ status: 'closed', blockReason: null });
      },
    );

    it('TEAM-2 no task is taken during a pause, and the released one is free', async () => {
      const { ledger, project } = await store.start();
      const { loop, stop } = await queued(ledger, project);
      let executed = 0;
      const execute = async () => {
        executed += 1;
        throw new ModelOutage('The model is away.', 'fermata run');
      };
      const looped = loop(execute, { pauses: [60_000] });
      await expect
        .poll(async () => executed === 1 && (await ledger.tasks.get(project, 'a')).status)
        .toBe('open');
      await ledger.tasks.add({ projectId: project, id: 'b', title: 'B' }, ann);
      stop.abort();
      await looped;
      expect(executed).toBe(1);
      expect(await ledger.tasks.get(project, 'a')).toMatchObject({ assignee: null, blockReason: null });
    });

    it('TEAM-2 a worker outlasts a locked ledger, and says so once each time', async () => {
      const { ledger, project } = await store.start();
      const { loop, stop } = await queued(ledger, project);
      const locked = new FermataError('busy', 'The ledger is locked.');
      vi.spyOn(ledger.queue, 'groups').mockRejectedValueOnce(locked).mockRejectedValueOnce(locked);
      const faults: string[] = [];
      const execute: LoopOptions['execute'] = async ({ task }) => {
        await ledger.tasks.close(project, 'a', ann, task.fence);
        vi.spyOn(ledger.tasks, 'release').mockRejectedValueOnce(locked);
      };
      const looped = loop(execute, { onFault: (fault) => faults.push(fault) });
      await expect.poll(() => faults.length).toBe(2);
      stop.abort();
      await looped;
      expect(faults).toEqual([locked.message, locked.message]);
      expect(await ledger.tasks.get(project, 'a')).toMatchObject({ status: 'closed' });
    });

    it('TEAM-2 a newer schema ends a worker', async () => {
      const { ledger, project } = await store.start();
      const { loop } = await queued(ledger, project);
      const newer = new FermataError('newer_schema', 'The ledger is newer.');
      vi.spyOn(ledger.queue, 'groups').mockRejectedValue(newer);
      await expect(loop(async () => undefined)).rejects.toBe(newer);
    });

    it('RUN-2 ends a loop that has no handler for an outage', async () => {
      const { ledger, project } = await store.start();
      const { loop } = await queued(ledger, project);
      const outage = new ModelOutage('The model is away.', 'fermata run --resume plans/p');
      const execute = async () => {
        throw outage;
      };
      await expect(loop(execute, { onOutage: undefined })).rejects.toBe(outage);
      expect(outage.message).toContain('Resume with: fermata run --resume plans/p');
    });
  });

  it('TEAM-2 pauses grow up to a limit, and start again at the shortest after a success', async () => {
    const pauses = new Pauses([0, 30, 60]);
    expect(pauses.begin()).toBe(true);
    pauses.succeeded();
    expect(pauses.begin()).toBe(true);
    expect(pauses.begin()).toBe(false);
    expect(pauses.left).toBeGreaterThan(0);
    expect(pauses.left).toBeLessThanOrEqual(30);
    pauses.succeeded();
    await expect.poll(() => pauses.left, { interval: 5 }).toBe(0);
    expect(pauses.begin()).toBe(false);
    expect(pauses.left).toBeGreaterThan(30);
  });
});
