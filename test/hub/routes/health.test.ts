import { expect, it } from 'vitest';
import { eachStore } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

eachStore((store) => {
  it('health and metrics are told to who has a token (HUB-1)', async () => {
    const { hub, at } = await startHubOn(store);
    await hub.call('POST', `${at}/notifications`, question);
    // A probe needs no more than an agent's token.
    const { secret } = (await hub.call('POST', '/tokens', { name: at, role: 'agent' })).body.data;
    const probe = { authorization: `Bearer ${secret}` };
    expect((await hub.get('/healthz', probe)).body).toMatchObject({ data: { status: 'ok' } });
    const metrics = (await hub.get('/metrics', probe)).body;
    expect(metrics).toMatch(/^fermata_http_requests_total\{method="POST",status="201"\} 2$/m);
    expect(metrics).toMatch(/^fermata_open_notifications \d+$/m);
  });
});
