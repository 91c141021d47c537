import { expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import { limits } from '../../../src/schema/limits.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import type { TestStore } from '../../ledger/support/test-store.ts';
import { receiver } from '../support/receiver.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

const byRest = (name: string): By => ({ actor: { kind: 'agent', name }, channel: 'rest' });

/**
 * As if every agent had exceeded its rate for a while, so that a slow machine does not free a slot before the
 * next request.
 */
async function useUp(store: TestStore): Promise<void> {
  await store.sql('update agent_rates set used_until = used_until + 100000');
}

/** So many questions that are open already. */
async function flood(ledger: Ledger, project: string, by: By, count: number): Promise<string[]> {
  const asked = Array.from({ length: count }, async (_, n) => {
    const input = {
      projectId: project,
      source: 'plan' as const,
      sourceId: `s${n}`,
      questions: [`${by.actor.name}: why?`],
    };
    return (await ledger.notifications.create(input, by)).notification.id;
  });
  return Promise.all(asked);
}

eachStoreInLong((store) => {
  it('an agent that asks too fast gets 429 with Retry-After, and nobody else does (BIND-15)', async () => {
    const { hub, ledger, project, at } = await startHubOn(store);
    const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
    const [known] = await flood(ledger, project, byRest(agent.name), 1);
    await useUp(store);
    const ask = (sourceId: string, headers?: Record<string, string>) =>
      hub.call('POST', `${at}/notifications`, { ...question, sourceId }, headers);
    const refused = await ask('more', agent.headers);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 'rate_limited',
          message: expect.stringMatching(/limit of 120 questions per minute.*Try again in \d+ s/),
          details: { retryAfter: expect.any(Number) },
        },
      },
    });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const again = { source: 'plan', sourceId: 's0', questions: [`${agent.name}: why?`] };
    const taken = await hub.call('POST', `${at}/notifications`, again, agent.headers);
    expect([taken.status, taken.body.data.id], 'what is open already').toEqual([200, known]);
    expect((await ask('more', other.headers)).status).toBe(201);
    expect((await ask('of a person')).status).toBe(201);
    expect((await hub.call('POST', `${at}/tasks`, { title: 'Work' }, agent.headers)).status).toBe(201);
  });

  it('tasks, chat and notices of an agent have a rate limit, too (BIND-15)', async () => {
    const { hub, ledger, project, at } = await startHubOn(store);
    const agent = await tokenFor(hub, 'agent');
    const by = byRest(agent.name);
    await ledger.tasks.add({ projectId: project, id: 't0', title: 'x' }, by);
    await ledger.tasks.say(project, 't0', 'Hello', by);
    const told = { ...question, source: 'plan' as const, sourceId: 'n', notice: true };
    await ledger.notifications.create({ projectId: project, ...told }, by);
    await useUp(store);
    const status = async (path: string, body: unknown) =>
      (await hub.call('POST', at + path, body, agent.headers)).status;
    expect(await status('/tasks', { title: 'x' })).toBe(429);
    expect(await status('/tasks/t0/chat', { text: 'Hello' })).toBe(429);
    expect(await status('/notifications', { ...told, sourceId: 'n2' })).toBe(429);
    expect(await status('/notifications', question)).toBe(201);
    const byPerson = await hub.call('POST', `${at}/tasks/t0/chat`, { text: 'Hello' });
    expect(byPerson.status).toBe(201);
  });

  it('a question of another asker comes before an agent’s flood, in the inbox and in notices (BIND-15)', async () => {
    const { hub, ledger, project, at } = await startHubOn(store);
    const agent = await tokenFor(hub, 'agent');
    const ids = await flood(ledger, project, byRest(agent.name), 60);
    const late = { projectId: project, source: 'plan' as const, sourceId: 'late', questions: ['Real?'] };
    const { id } = (await ledger.notifications.create(late, ann)).notification;
    const { body } = await hub.get(`${at}/notifications?limit=30`);
    const listed: { id: string; overflow?: true }[] = body.data;
    expect(listed.findIndex((each) => each.id === id)).toBe(limits.openBeforeOverflow);
    expect(listed.filter(({ overflow }) => overflow)).toHaveLength(30 - limits.openBeforeOverflow - 1);
    const rest = await hub.get(`${at}/notifications?limit=100&after=${encodeURIComponent(body.next)}`);
    const all = [...listed, ...rest.body.data].map((each: { id: string }) => each.id);
    expect(all.sort()).toEqual([...ids, id].sort());

    const hooked = await receiver();
    await ledger.notices.addSink(hooked.sink.name);
    await flood(ledger, project, { ...byRest(agent.name), channel: 'mcp' }, 60);
    await ledger.notifications.create({ ...late, sourceId: 'later' }, ann);
    await ledger.notices.collect(hooked.sink.name);
    const due = async () =>
      (await ledger.notices.takeDue(hooked.sink.name, 10)).map(({ notification }) => notification.sourceId);
    // The store's clock may be slightly ahead of this process.
    await expect.poll(due).toContain('later');
  });

  it('questions of a revoked token are withdrawn, and its unsent notices are dropped (BIND-15)', async () => {
    const { hub, ledger, project } = await startHubOn(store);
    const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
    await ledger.notices.addSink('phone');
    const [open] = await flood(ledger, project, byRest(agent.name), 3);
    const told = {
      projectId: project,
      source: 'plan' as const,
      sourceId: 'n',
      questions: ['FYI'],
      notice: true,
    };
    await ledger.notifications.create(told, byRest(agent.name));
    await ledger.notices.collect('phone');
    await ledger.notifications.create({ ...told, sourceId: 'not collected yet' }, byRest(agent.name));
    const [kept] = await flood(ledger, project, byRest(other.name), 1);
    expect((await hub.call('DELETE', `/tokens/${agent.id}`)).status).toBe(200);
    expect(await ledger.notifications.get(project, open ?? '')).toMatchObject({
      status: 'withdrawn',
      reason: `The token "${agent.name}" was revoked.`,
      resolvedBy: { actor: { kind: 'person', name: 'ann' } },
    });
    await ledger.notices.collect('phone');
    const due = async () =>
      (await ledger.notices.takeDue('phone', 100)).map(({ notification }) => notification.id);
    await expect.poll(due).toEqual([kept]);
  });
});
