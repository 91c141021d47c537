import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  it('feedback is stored for the Analyst, and shown with what was asked about it (HUB-1)', async () => {
    const { ledger, project, hub, at } = await startHubOn(store);
    const given = await hub.call('POST', `${at}/feedback`, { text: 'The search is slow.' });
    expect(given).toMatchObject({ status: 201, body: { data: { status: 'open', result: null } } });
    const { id } = given.body.data;
    const asked = { projectId: project, source: 'eval' as const, sourceId: id, questions: ['How slow?'] };
    const analyst = { actor: { kind: 'agent', name: 'analyst' }, channel: 'agent' } as const;
    await ledger.notifications.create(asked, analyst);
    expect((await hub.get(`${at}/feedback`)).body.data).toMatchObject([{ id, text: 'The search is slow.' }]);
    expect((await hub.get(`${at}/feedback/${id}`)).body.data.questions).toMatchObject([
      { questions: [{ text: 'How slow?' }] },
    ]);
    expect((await hub.get(`${at}/feedback/f-none`)).status).toBe(404);
    expect((await hub.call('POST', `${at}/feedback`, { text: ' ' })).status).toBe(400);
  });
});
