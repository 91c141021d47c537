import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  it('an answer becomes a decision; a standing one answers automatically until it is revoked (HUB-1, LED-12)', async () => {
    const { hub, at } = await startHubOn(store);
    const ask = async (sourceId: string, source = 'plan') =>
      (await hub.call('POST', `${at}/notifications`, { ...question, source, sourceId })).body.data;
    const answer = (id: string, standing: unknown) =>
      hub.call('PATCH', `${at}/notifications/${id}`, {
        responses: [{ questionId: 'q1', answer: 'A', standing }],
      });
    const { id } = await ask('first');
    for (const wrong of ['yes', 1]) expect((await answer(id, wrong)).status).toBe(400);
    expect((await answer(id, true)).body.data).toMatchObject({
      status: 'answered',
      responses: [{ answer: 'A', standing: true }],
    });
    const [decision] = (await hub.get(`${at}/decisions`)).body.data;
    expect(decision).toMatchObject({ answer: 'A', standing: true });
    expect(await ask('second')).toMatchObject({
      status: 'answered',
      responses: [
        { answer: 'A', by: { actor: { kind: 'policy', name: `standing decision ${decision.id}` } } },
      ],
    });
    expect((await hub.call('DELETE', `${at}/decisions/${decision.id}/standing`)).status).toBe(200);
    expect((await hub.get(`${at}/decisions`)).body.data).toMatchObject([{ standing: false }]);
    expect(await ask('third')).toMatchObject({ status: 'open', questions: [{ recommended: 'A' }] });
    const gate = await ask('fourth', 'gate');
    expect(await answer(gate.id, true)).toMatchObject({
      status: 400,
      body: { error: { message: 'An answer to a gate cannot become a standing answer.' } },
    });
    const { components } = (await hub.get('/openapi.json')).body;
    expect(JSON.stringify(components.schemas.ResponseInput)).toContain('"standing"');
  });
});
