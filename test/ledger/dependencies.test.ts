import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { longTest } from '../support/long-test.ts';
import { lastEvent, readyIds, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

async function tasks(ledger: Ledger, projectId: string, ids: string[]): Promise<void> {
  await Promise.all(ids.map((id) => ledger.tasks.add({ projectId, id, title: id }, ann)));
}

describe('a dependency', () => {
  eachStore((store) => {
    it('LED-8 on itself is refused', async () => {
      const { ledger, project } = await store.start();
      await tasks(ledger, project, ['a']);
      const error = await refusal(ledger.tasks.depend(project, 'a', ['a'], ann));
      expect(error).toMatchObject({ code: 'invalid', message: 'Task a cannot depend on itself.' });
      const born = ledger.tasks.add({ projectId: project, id: 'b', title: 'B', dependsOn: ['b'] }, ann);
      expect(await refusal(born)).toMatchObject({ code: 'invalid' });
      expect(await refusal(ledger.tasks.get(project, 'b'))).toMatchObject({ code: 'not_found' });
    });

    it('LED-8 on an unknown task, or on one of another project, is refused and nothing is added', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      await tasks(ledger, other, ['elsewhere']);
      await tasks(ledger, project, ['a']);
      const before = await lastEvent(ledger, project);
      for (const unknown of ['nope', 'elsewhere']) {
        expect(await refusal(ledger.tasks.depend(project, 'a', [unknown], ann))).toMatchObject({
          code: 'not_found',
        });
        const born = ledger.tasks.add(
          { projectId: project, id: 'b', title: 'B', dependsOn: ['a', unknown] },
          ann,
        );
        expect(await refusal(born)).toMatchObject({
          code: 'not_found',
          message: expect.stringContaining(unknown),
        });
      }
      expect(await refusal(ledger.tasks.depend(project, 'nope', ['a'], ann))).toMatchObject({
        code: 'not_found',
      });
      expect(await readyIds(ledger, project)).toEqual(['a']);
      expect(await lastEvent(ledger, project)).toBe(before);
    });

    it('LED-8 that closes a cycle of two is refused and says why', async () => {
      const { ledger, project } = await store.start();
      await tasks(ledger, project, ['a', 'b']);
      await ledger.tasks.depend(project, 'b', ['a'], ann);
      expect(await refusal(ledger.tasks.depend(project, 'a', ['b'], ann))).toMatchObject({
        code: 'invalid',
        message: 'Task a cannot depend on b: b already depends on a.',
      });
      expect(await readyIds(ledger, project)).toEqual(['a']);
    });

    longTest('LED-8 that closes a cycle of 100 is refused, but one that only crosses it is not', async () => {
      const { ledger, project } = await store.start();
      const chain = Array.from({ length: 100 }, (_, n) => `c${n}`);
      await tasks(ledger, project, [...chain, 'beside']);
      await Promise.all(chain.slice(1).map((id, n) => ledger.tasks.depend(project, id, [`c${n}`], ann)));
      expect(await refusal(ledger.tasks.depend(project, 'c0', ['c99'], ann))).toMatchObject({
        code: 'invalid',
      });
      expect(await refusal(ledger.tasks.depend(project, 'c40', ['c60'], ann))).toMatchObject({
        code: 'invalid',
      });
      await ledger.tasks.depend(project, 'c99', ['c5'], ann);
      await ledger.tasks.depend(project, 'c50', ['beside'], ann);
      expect(await refusal(ledger.tasks.depend(project, 'beside', ['c99'], ann))).toMatchObject({
        code: 'invalid',
      });
      expect(await readyIds(ledger, project)).toEqual(['c0', 'beside']);
    });

    it('LED-8 of two that would close a cycle together, one is refused', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      await tasks(ledger, project, ['a', 'b']);
      const results = await Promise.allSettled([
        ledger.tasks.depend(project, 'a', ['b'], ann),
        other.tasks.depend(project, 'b', ['a'], ann),
      ]);
      expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await readyIds(ledger, project)).toHaveLength(1);
    });

    it('LED-8 that exists already is accepted, and stored once', async () => {
      const { ledger, project } = await store.start();
      await tasks(ledger, project, ['a', 'b']);
      await ledger.tasks.depend(project, 'b', ['a'], ann);
      const before = await lastEvent(ledger, project);
      await ledger.tasks.depend(project, 'b', ['a'], ann);
      expect(await lastEvent(ledger, project)).toBe(before);
      await ledger.tasks.close(project, 'a', ann);
      expect(await readyIds(ledger, project)).toEqual(['b']);
    });
  });
});
