import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ask } from '../../ledger/support/ask.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { longTest } from '../../support/long-test.ts';
import { request } from '../support/hub.ts';
import { linkIn, receiver } from '../support/receiver.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

const fifty = Array.from({ length: 50 }, (_, n) => n);

eachStoreInLong((store) => {
  describe('many at once (HUB-3, LED-4)', () => {
    it('of 50 different answers one wins, and all others learn which', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const replies = await Promise.all(
        fifty.map((n) =>
          hub.call('PATCH', `${at}/notifications/${id}`, {
            responses: [{ questionId: 'q1', answer: `A${n}` }],
          }),
        ),
      );
      const [won, ...more] = replies.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      const { answer } = won?.body.data.responses[0] ?? {};
      const lost = replies.filter(({ status }) => status === 409);
      expect(lost).toHaveLength(49);
      for (const { body } of lost) expect(body.error.details.responses).toMatchObject([{ answer }]);
      expect(await ledger.decisions.list(project)).toMatchObject([{ answer }]);
    });

    longTest('of 50 who send the form of one link, one answers', async () => {
      const hooked = await receiver();
      const { hub, ledger, project } = await startHubOn(store, { sinks: [hooked.sink] });
      const { id } = await ask(ledger, project);
      const [notice] = await hooked.has(1);
      const link = linkIn(notice?.body.text);
      const replies = await Promise.all(
        fifty.map((n) => request(link, 'POST', `text=A${n % 5}`, { origin: hub.url })),
      );
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(49).fill(409)]);
      expect((await ledger.notifications.get(project, id)).responses).toHaveLength(1);
    });

    it('of 50 agents that claim a task, one gets it', async () => {
      const { hub, at } = await startHubOn(store);
      await hub.call('POST', `${at}/tasks`, { id: 'a', title: 'A' });
      const claims = await Promise.all(
        fifty.map((n) => hub.call('POST', `${at}/tasks/a/claim`, { worker: `w${n}` })),
      );
      const [won, ...more] = claims.filter(({ status }) => status === 200);
      expect([more.length, won?.body.data.fence]).toEqual([0, 1]);
      expect((await hub.get(`${at}/tasks/a`)).body.data.assignee).toBe(won?.body.data.assignee);
    });

    it('a token that is revoked while its body arrives changes nothing any more', async () => {
      const { hub, at } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const token = await tokenFor(hub, 'human');
      const body = JSON.stringify({ responses: [{ questionId: 'q1', answer: 'Too late' }] });
      const sent = httpRequest(`${hub.url}${at}/notifications/${id}`, {
        method: 'PATCH',
        headers: { ...token.headers, 'content-length': body.length },
      });
      sent.write(body.slice(0, 10));
      // The hub has handled the first part before it answers this.
      await hub.get(at);
      await hub.call('DELETE', `/tokens/${token.id}`);
      sent.end(body.slice(10));
      const [response] = await once(sent, 'response');
      response.resume();
      expect(response.statusCode).toBe(401);
      expect((await hub.get(`${at}/notifications/${id}`)).body.data).toMatchObject({ status: 'open' });
    });
  });
});
