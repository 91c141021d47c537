import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  it('the policy of an agent’s token is a proposal, which only a person accepts (BIND-9)', async () => {
    const { hub, ledger, project, at } = await startHubOn(store);
    const agent = await tokenFor(hub, 'agent');
    const asked = { ...question, policy: { kind: 'skip', after: 0.05 } };
    const { status, body } = await hub.call('POST', `${at}/notifications`, asked, agent.headers);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ status: 'open', policy: { kind: 'wait' }, proposal: asked.policy });
    const accept = `${at}/notifications/${body.data.id}/accept`;
    expect((await hub.call('POST', accept, undefined, agent.headers)).status).toBe(403);
    expect(await hub.call('POST', accept)).toMatchObject({
      status: 200,
      body: { data: { policy: asked.policy, deadlineAt: expect.any(String) } },
    });
    expect(await ledger.notifications.wait(project, body.data.id)).toMatchObject({
      status: 'skipped',
      resolvedBy: { actor: { kind: 'policy', name: 'skip' } },
    });
  });
});
