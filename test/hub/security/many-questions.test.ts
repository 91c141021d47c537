import { expect, it } from 'vitest';
import type { By } from '../../../src/schema/actor.ts';
import { limits } from '../../../src/schema/limits.ts';
import { eachStore } from '../../ledger/support/stores.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStore((store) => {
  it('an agent that asks on and on is stopped, and nobody else is (HUB-3)', { timeout: 60_000 }, async () => {
    const { hub, ledger, project, at } = await startHubOn(store);
    const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
    const by: By = { actor: { kind: 'agent', name: agent.name }, channel: 'rest' };
    const ids = await Promise.all(
      Array.from({ length: limits.openPerAgent - 5 }, async (_, n) => {
        const asked = { projectId: project, source: 'plan' as const, sourceId: `s${n}`, questions: ['Why?'] };
        return (await ledger.notifications.create(asked, by)).notification.id;
      }),
    );
    const ask = (sourceId: string, headers?: Record<string, string>) =>
      hub.call('POST', `${at}/notifications`, { ...question, sourceId }, headers);
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => (await ask(`at-once-${n}`, agent.headers)).status),
    );
    expect(statuses.sort(), 'at once, too').toEqual([...Array(5).fill(201), ...Array(7).fill(503)]);

    expect(await ask('more', agent.headers)).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'busy',
          message: expect.stringMatching(/has 1000 questions open in this project.*withdraw/),
        },
      },
    });
    await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Work' }, agent.headers);
    await hub.call('POST', `${at}/tasks/t1/claim`, undefined, agent.headers);
    const result = { status: 'failed', open_questions: ['Which?'] };
    const reported = await hub.call('POST', `${at}/tasks/t1/result`, result, agent.headers);
    expect(reported.status, 'by a result').toBe(503);
    const again = { source: 'plan', sourceId: 's0', questions: ['Why?'] };
    const known = await hub.call('POST', `${at}/notifications`, again, agent.headers);
    expect([known.status, known.body.data.id], 'what is open already').toEqual([200, ids[0]]);

    expect((await ask('more', other.headers)).status).toBe(201);
    expect((await ask('of a person')).status).toBe(201);
    await hub.call('DELETE', `${at}/notifications/${ids[0]}`, undefined, agent.headers);
    expect((await ask('in its place', agent.headers)).status).toBe(201);
  });
});
