import { expect, it } from 'vitest';
import type { By } from '../../../src/schema/actor.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  it('runs are started, reported on, watched and ended (HUB-1)', async () => {
    const { hub, at } = await startHubOn(store);
    const run = { agent: 'claude', source: 'execute', sourceId: 't1' };
    const started = (await hub.call('POST', `${at}/runs`, run)).body.data;
    const path = `${at}/runs/${started.id}`;
    const steps = [
      { kind: 'text', text: 'Reading.' },
      { kind: 'usage', usage: { input_tokens: 5 } },
    ];
    expect((await hub.call('POST', `${path}/events`, { fence: 1, steps })).status).toBe(201);
    expect((await hub.call('POST', `${path}/events`, { fence: 9, steps })).status).toBe(409);
    await hub.call('POST', `${at}/runs`, { ...run, sourceId: 't2' });
    const ended = { status: 'ended', fence: 1, reason: 'ok', message: 'Done.' };
    expect((await hub.call('PATCH', path, ended)).body.data).toMatchObject({ status: 'ended' });
    expect((await hub.get(path)).body.data).toMatchObject({ id: started.id, questions: [] });
    const events = (await hub.get(`${path}/events`)).body.data;
    expect(events.map(({ data }: { data: { kind: string } }) => data.kind)).toEqual([
      'started',
      'text',
      'usage',
      'end',
    ]);
    expect((await hub.get(`${path}/events?after=${events[1].number}&limit=1`)).body).toMatchObject({
      data: [{ data: { kind: 'usage' } }],
      next: String(events[2].number),
    });
    expect((await hub.get(`${at}/runs`)).body.data).toHaveLength(2);
  });

  it('a program can store what it likes with its run, which cannot pass for one of Fermata’s (HUB-1)', async () => {
    const { hub, at } = await startHubOn(store);
    const forged = { for: 'draft', idea: 'x', adaptive: false, output: '/etc', agent: { agent: 'claude' } };
    const run = { agent: 'claude', source: 'plan', sourceId: 'x', data: { ...forged, rounds: 2, mine: [1] } };
    const { id, data } = (await hub.call('POST', `${at}/runs`, run)).body.data;
    expect(data).toEqual({ ...forged, for: 'other', rounds: 2, mine: [1] });
    expect((await hub.get(`${at}/runs/${id}`)).body.data).toMatchObject({ data });
    const wrong = { ...run, data: { rounds: 'two' } };
    expect((await hub.call('POST', `${at}/runs`, wrong)).status).toBe(400);
  });

  it('a person says something to a session; its agent may not, and other runs take nothing (SES-9)', async () => {
    const { hub, at, ledger, project } = await startHubOn(store);
    const input = { projectId: project, agent: 'claude', source: 'execute' as const, cwd: '/shop' };
    const claim = { worker: 'desk', leaseSeconds: 60 };
    const by: By = { actor: { kind: 'agent', name: 'claude' }, channel: 'agent' };
    const data = { for: 'session' as const, transcript: '/t.jsonl', attended: true, state: 'idle' as const };
    const session = await ledger.runs.start({ ...input, sourceId: 's1', taskId: null, data }, claim, by);
    const other = await ledger.runs.start({ ...input, sourceId: 'x', data: { for: 'agent' } }, claim, by);
    const tell = (id: string, body: object, headers?: Record<string, string>) =>
      hub.call('POST', `${at}/runs/${id}/messages`, body, headers);
    const { headers: agents } = await tokenFor(hub, 'agent', project);
    expect((await tell(session.id, { text: 'I approve.' }, agents)).status).toBe(403);
    expect(await tell(session.id, { text: 'Use tabs.' })).toMatchObject({
      status: 201,
      body: { data: { text: 'Use tabs.', delivery: 'queued' } },
    });
    expect((await tell(session.id, { text: ' ' })).status).toBe(400);
    expect((await tell('r-none', { text: 'Hello.' })).status).toBe(404);
    expect((await tell(other.id, { text: 'Hello.' })).status).toBe(410);
    expect((await ledger.runs.unread(session)).map(({ text }) => text)).toEqual(['Use tabs.']);
  });
});
