import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

const change = (answer: string) => ({ responses: [{ questionId: 'q1', answer }] });

eachStoreInLong((store) => {
  describe('an amendment over REST (BIND-5)', () => {
    it('replaces the answer, keeps the old one, and says what follows', async () => {
      const { hub, at } = await startHubOn(store);
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      const path = `${at}/notifications/${id}`;
      expect((await hub.call('POST', `${path}/amend`, change('MySQL'))).status).toBe(409);
      await hub.call('PATCH', path, change('SQLite'));
      const { status, body } = await hub.call('POST', `${path}/amend`, change('MySQL'));
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        responses: [{ answer: 'MySQL', version: 2 }],
        replaced: [{ answer: 'SQLite' }],
        effect: { kind: 'not_delivered' },
      });
      const repeated = await hub.call('POST', `${path}/amend`, change('MySQL'));
      expect(repeated.body.data).not.toHaveProperty('effect');
      expect((await hub.call('POST', `${path}/amend`, { responses: [] })).status).toBe(400);
    });

    it('is not for agents', async () => {
      const { hub, at } = await startHubOn(store);
      const { headers } = await tokenFor(hub, 'agent');
      const { id } = (await hub.call('POST', `${at}/notifications`, question)).body.data;
      await hub.call('PATCH', `${at}/notifications/${id}`, change('SQLite'));
      const refused = await hub.call('POST', `${at}/notifications/${id}/amend`, change('MySQL'), headers);
      expect(refused.status).toBe(403);
    });
  });
});
