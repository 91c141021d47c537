import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  it('ATT-11 returns what the questions of a project cost, to people only', async () => {
    const { hub, at, project } = await startHubOn(store);
    await hub.call('POST', `${at}/notifications`, { ...question, source: 'plan', sourceId: 'first' });
    expect((await hub.get(`${at}/insights`)).body.data).toMatchObject({ total: { asked: 1, open: 1 } });
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await hub.get(`${at}/insights?since=${later}`)).body.data.total.asked).toBe(0);
    expect((await hub.get(`${at}/insights?since=yesterday`)).status).toBe(400);
    expect((await hub.get('/projects/p-nowhere/insights')).status).toBe(404);
    const { headers } = await tokenFor(hub, 'agent', project);
    expect((await hub.call('GET', `${at}/insights`, undefined, headers)).status).toBe(403);
  });
});
