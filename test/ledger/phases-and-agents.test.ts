import { describe, expect, it } from 'vitest';
import type { By } from '../../src/schema/actor.ts';
import { refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const forbidden = { code: 'forbidden' };
const claim = { worker: 'w', leaseSeconds: 60 };
const note = () => ({
  kind: 'implementation' as const,
  iteration: 1,
  data: { type: 'initial' as const, walkthrough: 'w', reason: null },
});

describe('an agent and the phases of a plan', () => {
  eachStore((store) => {
    async function plan() {
      const { ledger, project } = await store.start();
      const inputs = ['p/1', 'p/2'].map((id) => ({ projectId: project, id, title: id }));
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, inputs, new Set(), ann);
      await ledger.tasks.add({ projectId: project, id: 'plain', title: 'Plain' }, ann);
      return { ledger, project, inputs };
    }

    it('BIND-8 it can neither claim, close, block nor record a phase that it was not started for', async () => {
      const { ledger, project } = await plan();
      const { tasks, phases } = ledger;
      const { fence } = await tasks.claim(project, 'p/1', claim, ann);
      const other: By = { ...coder, task: 'p/1' };
      for (const by of [coder, other]) {
        expect(await refusal(tasks.claim(project, 'p/2', claim, by))).toMatchObject(forbidden);
        expect(await refusal(tasks.close(project, 'p/2', by))).toMatchObject(forbidden);
        expect(await refusal(tasks.end(project, 'p/2', by))).toMatchObject(forbidden);
        expect(await refusal(tasks.block(project, 'p/2', 'x', by))).toMatchObject(forbidden);
        expect(await refusal(tasks.depend(project, 'p/2', ['plain'], by))).toMatchObject(forbidden);
        expect(await refusal(phases.append(project, 'p/2', by, note, fence))).toMatchObject(forbidden);
      }
      expect(await refusal(tasks.claimNext(project, claim, coder))).toMatchObject(forbidden);
      expect(await tasks.get(project, 'p/2')).toMatchObject({ status: 'open', fence: 0, kind: 'phase' });
    });

    it('BIND-8 it can report on its own phase, but neither claim nor end it, which only its run and people can', async () => {
      const { ledger, project } = await plan();
      const { tasks, phases } = ledger;
      const { fence } = await tasks.claim(project, 'p/1', claim, ann);
      const sent: By = { ...coder, task: 'p/1' };
      await tasks.heartbeat(project, 'p/1', fence, 60, sent);
      expect(await phases.append(project, 'p/1', sent, note, fence)).toMatchObject({ by: sent });
      expect(await refusal(phases.append(project, 'p/1', sent, note, fence - 1))).toMatchObject({
        code: 'stale',
      });
      expect(await refusal(tasks.end(project, 'p/1', sent, fence))).toMatchObject(forbidden);
      expect(await refusal(tasks.close(project, 'p/1', ann, fence))).toMatchObject({ code: 'conflict' });
      expect(await tasks.end(project, 'p/1', ann, fence)).toMatchObject({ status: 'closed' });
    });

    it('BIND-8 plain tasks remain open to agents', async () => {
      const { ledger, project } = await plan();
      const { fence, kind } = await ledger.tasks.claim(project, 'plain', claim, coder);
      expect(kind).toBe('task');
      expect(await ledger.tasks.close(project, 'plain', coder, fence)).toMatchObject({ status: 'closed' });
    });

    it('BIND-8 it can neither claim nor end a plain task that is queued for workers or that it was started for', async () => {
      const { ledger, project } = await plan();
      const { tasks, queue } = ledger;
      const sent: By = { ...coder, task: 'plain' };
      const { fence } = await tasks.claim(project, 'plain', claim, ann);
      expect(await refusal(tasks.close(project, 'plain', sent, fence))).toMatchObject(forbidden);
      await tasks.release(project, 'plain', fence, ann);
      const options = { featureBranch: 'main', remote: null, options: { agent: 'claude' } };
      await queue.place({ projectId: project, scope: 'plain', needs: ['claude'], options }, ann);
      for (const by of [coder, { ...coder, task: 'p/1' }]) {
        expect(await refusal(tasks.claim(project, 'plain', claim, by))).toMatchObject(forbidden);
        expect(await refusal(tasks.close(project, 'plain', by, fence))).toMatchObject(forbidden);
        expect(await refusal(tasks.block(project, 'plain', 'x', by))).toMatchObject(forbidden);
      }
      expect(await tasks.get(project, 'plain')).toMatchObject({ status: 'open' });
    });

    it('BIND-8 a task that an agent added and closed under the name of a phase does not count as that phase', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['p/1', 'p/2']) {
        await ledger.tasks.add({ projectId: project, id, title: 'Mine' }, coder);
        await ledger.tasks.claim(project, id, claim, coder);
      }
      await ledger.tasks.close(project, 'p/1', coder);
      const inputs = ['p/1', 'p/2', 'p/3'].map((id) => ({ projectId: project, id, title: id }));
      const last = { projectId: project, id: 'p/4', title: 'x', dependsOn: ['p/1', 'p/2'] };
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, [...inputs, last], new Set(), ann);
      const states = (await ledger.tasks.list(project)).map(({ id, status, kind }) => [id, status, kind]);
      expect(states).toEqual(['p/1', 'p/2', 'p/3', 'p/4'].map((id) => [id, 'open', 'phase']));
      expect((await ledger.tasks.ready(project)).map(({ id }) => id)).toEqual(['p/1', 'p/2', 'p/3']);
    });
  });
});
