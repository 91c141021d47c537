import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { askFor, history, lastEvent, readyIds, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const minute = { worker: 'w1', leaseSeconds: 60 };
const gone = { worker: 'w1', leaseSeconds: 0.001 };
const second = { worker: 'w2', leaseSeconds: 60 };

async function task(ledger: Ledger, projectId: string, id = 'T1') {
  return ledger.tasks.add({ projectId, id, title: 'Work' }, ann);
}

/** Expires the lease of T1 by the store's own clock. */
async function untilExpired(ledger: Ledger, project: string): Promise<void> {
  const { leaseUntil } = await ledger.tasks.get(project, 'T1');
  while (Date.now() <= Date.parse(leaseUntil ?? '') + 1) await new Promise((done) => setImmediate(done));
}

/** Every write that a worker makes with its fence. */
const writes: Record<string, (ledger: Ledger, project: string, fence: number) => Promise<unknown>> = {
  heartbeat: (l, p, fence) => l.tasks.heartbeat(p, 'T1', fence, 60, coder),
  release: (l, p, fence) => l.tasks.release(p, 'T1', fence, coder),
  close: (l, p, fence) => l.tasks.close(p, 'T1', coder, fence),
  block: (l, p, fence) => l.tasks.block(p, 'T1', 'Stuck', coder, fence),
  ask: (l, p, fence) => askFor(l, p, 'T1', { fence }),
};

describe('a claim', () => {
  eachStore((store) => {
    it('LED-8 takes an open task for a worker until its lease ends, under a number', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const before = Date.now();
      const claimed = await ledger.tasks.claim(project, 'T1', minute, coder);
      expect(claimed).toMatchObject({ status: 'in_progress', assignee: 'w1', fence: 1 });
      const lease = Date.parse(claimed.leaseUntil ?? '') - before;
      expect(lease).toBeGreaterThan(59_000);
      expect(lease).toBeLessThan(70_000);
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'task.updated',
        by: coder,
        data: { id: 'T1', status: 'in_progress', assignee: 'w1', fence: 1 },
      });
    });

    it('LED-8 is a compare-and-set: of 20 at once one wins, and the others learn who has it', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      await task(ledger, project);
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? ledger : other).tasks.claim(project, 'T1', { worker: `w${n}`, leaseSeconds: 60 }, coder),
        ),
      );
      const won = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []));
      expect(won).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({
            code: 'conflict',
            message: `Task T1 is held by ${won[0]?.assignee}.`,
            details: { assignee: won[0]?.assignee },
          });
        }
      }
    });

    it('LED-8 of the next task gives 20 workers 20 different ones, in order, and then none', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      for (let n = 0; n < 20; n++) await task(ledger, project, `T${n}`);
      const claimed = await Promise.all(
        Array.from({ length: 21 }, (_, n) =>
          (n % 2 ? ledger : other).tasks.claimNext(project, { worker: `w${n}`, leaseSeconds: 60 }, coder),
        ),
      );
      const ids = claimed.flatMap((t) => (t ? [t.id] : []));
      expect(new Set(ids).size).toBe(20);
      expect(claimed.filter((t) => t === undefined)).toHaveLength(1);
    });

    it.each([
      ['closed', (l: Ledger, p: string) => l.tasks.close(p, 'T1', ann), /it is closed/],
      ['blocked', (l: Ledger, p: string) => l.tasks.block(p, 'T1', 'Legal', ann), /it is blocked \(Legal\)/],
      [
        'waiting for another',
        async (l: Ledger, p: string) => {
          await task(l, p, 'T0');
          await l.tasks.depend(p, 'T1', ['T0'], ann);
        },
        /it depends on 1 unfinished task/,
      ],
    ])('LED-8 of a task that is %s is refused and says so', async (_, prepare, sentence) => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      await prepare(ledger, project);
      const error = await refusal(ledger.tasks.claim(project, 'T1', minute, coder));
      expect(error).toMatchObject({ code: 'conflict', message: expect.stringMatching(sentence) });
    });

    it('LED-8 is kept by a heartbeat, which is not an event', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence, leaseUntil } = await ledger.tasks.claim(project, 'T1', minute, coder);
      const before = await lastEvent(ledger, project);
      const kept = await ledger.tasks.heartbeat(project, 'T1', fence, 600, coder);
      expect(Date.parse(kept.leaseUntil ?? '')).toBeGreaterThan(Date.parse(leaseUntil ?? '') + 500_000);
      expect(kept).toMatchObject({ status: 'in_progress', assignee: 'w1', fence });
      expect(await lastEvent(ledger, project)).toBe(before);
    });

    it('LED-8 that is given back makes the task ready', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence } = await ledger.tasks.claim(project, 'T1', minute, coder);
      await ledger.tasks.release(project, 'T1', fence, coder);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        status: 'open',
        assignee: null,
        leaseUntil: null,
      });
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });

    it('LED-8 whose worker is gone ends with its lease: the next worker gets the task under a new number', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence } = await ledger.tasks.claim(project, 'T1', gone, coder);
      await untilExpired(ledger, project);
      const taken = await ledger.tasks.claimNext(project, second, coder);
      expect(taken).toMatchObject({ id: 'T1', status: 'in_progress', assignee: 'w2' });
      expect(taken?.fence).toBeGreaterThan(fence);
    });

    it('LED-8 of a task by name also takes over an ended lease, and no other', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      await ledger.tasks.claim(project, 'T1', gone, coder);
      await untilExpired(ledger, project);
      expect(await ledger.tasks.claim(project, 'T1', second, coder)).toMatchObject({
        assignee: 'w2',
        fence: 2,
      });
      expect(await refusal(ledger.tasks.claim(project, 'T1', minute, coder))).toMatchObject({
        code: 'conflict',
      });
      expect(await ledger.tasks.claimNext(project, minute, coder)).toBeUndefined();
    });

    it.each(Object.keys(writes))('LED-8 with an old number may not %s any more', async (write) => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence } = await ledger.tasks.claim(project, 'T1', gone, coder);
      await untilExpired(ledger, project);
      const taken = await ledger.tasks.claimNext(project, second, coder);
      const before = await lastEvent(ledger, project);
      const error = await refusal(writes[write]?.(ledger, project, fence) ?? Promise.resolve());
      expect(error).toMatchObject({ code: 'stale', details: { assignee: 'w2' } });
      expect(error.message).toContain('Stop working on it');
      expect(await ledger.tasks.get(project, 'T1')).toEqual(taken);
      expect(await lastEvent(ledger, project)).toBe(before);
    });

    it.each(Object.keys(writes))('LED-8 with the current number may %s', async (write) => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence } = await ledger.tasks.claim(project, 'T1', minute, coder);
      await writes[write]?.(ledger, project, fence);
      if (write !== 'heartbeat') expect((await ledger.tasks.get(project, 'T1')).assignee).toBeNull();
    });

    it.each(['heartbeat', 'release'])(
      'LED-8 that has ended, by a question or on its own, refuses a %s',
      async (write) => {
        const { ledger, project } = await store.start();
        await task(ledger, project);
        const { fence } = await ledger.tasks.claim(project, 'T1', minute, coder);
        await askFor(ledger, project, 'T1', { fence });
        expect(await refusal(writes[write]?.(ledger, project, fence) ?? Promise.resolve())).toMatchObject({
          code: 'stale',
        });
      },
    );

    it('LED-8 of a worker is overridden by a person, who needs no number', async () => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      const { fence } = await ledger.tasks.claim(project, 'T1', minute, coder);
      await ledger.tasks.block(project, 'T1', 'Stop!', ann);
      expect(await refusal(ledger.tasks.close(project, 'T1', coder, fence))).toMatchObject({ code: 'stale' });
      await ledger.tasks.close(project, 'T1', ann);
      expect((await ledger.tasks.get(project, 'T1')).status).toBe('closed');
    });

    it.each([
      [{ worker: '', leaseSeconds: 60 }],
      [{ worker: 'w', leaseSeconds: 0 }],
      [{ worker: 'w', leaseSeconds: -5 }],
      [{ worker: 'w', leaseSeconds: Number.NaN }],
      [{ worker: 'w', leaseSeconds: Number.POSITIVE_INFINITY }],
    ])('LED-8 of %j is refused', async (claim) => {
      const { ledger, project } = await store.start();
      await task(ledger, project);
      expect(await refusal(ledger.tasks.claim(project, 'T1', claim, coder))).toMatchObject({
        code: 'invalid',
      });
      expect(await refusal(ledger.tasks.claimNext(project, claim, coder))).toMatchObject({ code: 'invalid' });
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });

    it('RUN-4 a task whose worker is known to be dead can be claimed at once, under a new fence', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const held = await ledger.tasks.claim(project, 'T1', { worker: 'gone', leaseSeconds: 600 }, coder);
      const next = { worker: 'alive', leaseSeconds: 60 };
      expect(await ledger.tasks.claimNext(project, next, coder)).toBeUndefined();
      const isDead = (worker: string) => worker === 'gone';
      const taken = await ledger.tasks.claimNext(project, next, coder, { isDead });
      expect(taken).toMatchObject({ id: 'T1', assignee: 'alive' });
      expect(taken?.fence).toBeGreaterThan(held.fence);
    });
  });
});
