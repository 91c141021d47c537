import { describe, expect, it } from 'vitest';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

const terms = `Phase 1: Login
  is tested by a person
  gate "tests" runs
    $ npm test
`;

eachStoreInLong((store) => {
  describe('phases of a plan over REST', () => {
    async function phases() {
      const { hub, at, project, ledger } = await startHubOn(store);
      const inputs = ['shop/1', 'shop/2'].map((id) => ({ projectId: project, id, title: id }));
      await ledger.tasks.ensure({ projectId: project, plan: 'plans/p' }, inputs, new Set(), ann);
      await ledger.trust.accept(project, [{ name: 'plan:shop', content: terms }], ann);
      const { headers } = await tokenFor(hub, 'agent');
      return { hub, at, project, ledger, headers };
    }

    it("BIND-8 an agent's token that claims, closes or reports on a phase gets 403", async () => {
      const { hub, at, ledger, project, headers } = await phases();
      const path = `${at}/tasks/shop%2F1`;
      const post = (what: string, body?: unknown) => hub.call('POST', `${path}/${what}`, body, headers);
      const patch = (body: unknown) => hub.call('PATCH', path, body, headers);
      expect((await post('claim')).status).toBe(403);
      expect((await patch({ assignee: 'coder' })).status).toBe(403);
      expect((await patch({ status: 'closed', fence: 0 })).status).toBe(403);
      expect((await post('result', { status: 'success' })).status).toBe(403);
      const { fence } = await ledger.tasks.claim(project, 'shop/1', { worker: 'run', leaseSeconds: 60 }, ann);
      for (const body of [
        { status: 'success', fence },
        { status: 'failed', fence },
      ])
        expect((await post('result', body)).status).toBe(403);
      expect((await patch({ status: 'in_progress', fence })).status).toBe(403);
      expect(await ledger.tasks.get(project, 'shop/1')).toMatchObject({
        status: 'in_progress',
        assignee: 'run',
      });
      expect((await ledger.tasks.chat(project, 'shop/1')).length).toBe(0);
    });

    it("BIND-8 an agent's token cannot ask on behalf of a phase, held or not, or block it", async () => {
      const { hub, at, ledger, project, headers } = await phases();
      const asked = { source: 'execute', sourceId: 'shop/1', questions: ['Which?'] };
      const ask = (body: object) => hub.call('POST', `${at}/notifications`, { ...asked, ...body }, headers);
      const refused = await ask({});
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('looks like a phase') } },
      });
      expect((await ask({ source: 'plan', fence: 0 })).status).toBe(403);
      expect((await ledger.tasks.get(project, 'shop/1')).status).toBe('open');
      await ledger.tasks.claim(project, 'shop/1', { worker: 'run', leaseSeconds: 60 }, ann);
      expect((await ask({})).status).toBe(403);
      expect((await ask({ sourceId: 'plain' })).status).toBe(201);
    });

    it('BIND-6 a person cannot close a phase that is not done, by its status or by a result; the error has the reason and the next step', async () => {
      const { hub, at } = await phases();
      const closed = await hub.call('PATCH', `${at}/tasks/shop%2F1`, { status: 'closed' });
      expect(closed).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringMatching(/Nobody has tested.*block-…-gate/) } },
      });
      const result = await hub.call('POST', `${at}/tasks/shop%2F1/result`, { status: 'success' });
      expect(result).toMatchObject({ status: 409 });
      const unknown = await hub.call('PATCH', `${at}/tasks/shop%2F2`, { status: 'closed' });
      expect(unknown).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('Nobody has approved the plan of shop/2') } },
      });
    });

    it("BIND-8 plain tasks are claimed and closed with an agent's token as before", async () => {
      const { hub, at, headers } = await phases();
      await hub.call('POST', `${at}/tasks`, { id: 'plain', title: 'Plain' }, headers);
      const claimed = await hub.call('POST', `${at}/tasks/plain/claim`, undefined, headers);
      const { fence } = claimed.body.data;
      const done = await hub.call('POST', `${at}/tasks/plain/result`, { status: 'success', fence }, headers);
      expect(done.body.data).toMatchObject({ task: { status: 'closed' } });
    });
  });
});
