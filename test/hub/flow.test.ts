import { expect, it } from 'vitest';
import { eachStore } from '../ledger/support/stores.ts';
import { testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

eachStore((store) => {
  it('the execute flow: asked, blocked, answered, open again, with its events in order (LED-6, LED-7, HUB-1, HUB-2)', async () => {
    const { project } = await store.start();
    const hub = await testHub(store);
    const at = `/projects/${project}`;
    await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Store orders' });
    expect((await hub.call('POST', `${at}/tasks/t1/claim`, { worker: 'coder' })).body.data).toMatchObject({
      status: 'in_progress',
      assignee: 'coder',
    });
    const socket = await openSocket(hub, `/ws${at}?after=2`);

    const asked = await hub.call('POST', `${at}/notifications`, {
      source: 'execute',
      sourceId: 't1',
      open_questions: [
        { id: 'q1', text: 'Which database?' },
        { id: 'q2', text: 'Pages?' },
      ],
    });
    expect(asked.status).toBe(201);
    expect((await hub.get(`${at}/tasks/t1`)).body.data).toMatchObject({
      status: 'blocked',
      assignee: null,
      blockReason: 'Open Question',
      block_reason: 'Open Question',
    });
    expect((await hub.get(`${at}/tasks/ready`)).body).toEqual({ data: [] });

    const path = `${at}/notifications/${asked.body.data.id}`;
    const part = await hub.call('PATCH', path, { responses: [{ questionId: 'q1', answer: 'SQLite' }] });
    expect(part.body.data).toMatchObject({ status: 'open', responses: [{ answer: 'SQLite' }] });
    const whole = await hub.call('PATCH', path, { responses: [{ questionId: 'q2', answer: 'Yes' }] });
    expect(whole.body.data).toMatchObject({ status: 'answered', resolvedBy: { channel: 'rest' } });
    expect((await hub.get(`${at}/tasks/t1`)).body.data).toMatchObject({ status: 'open', block_reason: null });
    expect((await hub.get(`${at}/tasks/ready`)).body.data).toMatchObject([{ id: 't1' }]);
    expect((await hub.get(`${at}/tasks/t1/chat`)).body.data).toMatchObject([
      { text: 'Which database?\nSQLite' },
      { text: 'Pages?\nYes' },
    ]);

    const events = await socket.has(5);
    expect(events.map(({ number, type }) => [number, type])).toEqual([
      [3, 'notification.added'],
      [4, 'task.updated'],
      [5, 'notification.updated'],
      [6, 'notification.resolved'],
      [7, 'task.updated'],
    ]);
    expect((await hub.get(`${at}/events?after=2`)).body).toEqual({ data: events });
  });

  it('sockets get each chat message of a task (HUB-2, LED-7)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    const at = `/projects/${project}`;
    await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Store orders' });
    const socket = await openSocket(hub, `/ws${at}`);
    const said = (await hub.call('POST', `${at}/tasks/t1/chat`, { text: 'Half way.' })).body.data;
    // An agent's messages arrive as well, from any process.
    const coder = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' } as const;
    const answered = await ledger.tasks.say(project, 't1', 'Done.', coder);
    expect(await socket.has(2)).toMatchObject([
      { number: 2, type: 'task.updated', data: { id: 't1', title: 'Store orders', message: said } },
      { number: 3, type: 'task.updated', by: coder, data: { id: 't1', message: answered } },
    ]);
  });

  it('a task waits for all that a PATCH names, or for none of it (LED-8, HUB-1)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    const at = `/projects/${project}`;
    for (const id of ['a', 'b', 'c']) await hub.call('POST', `${at}/tasks`, { id, title: id });
    await hub.call('PATCH', `${at}/tasks/c`, { dependsOn: ['a'] });
    const before = (await ledger.projects.get(project)).lastEvent;
    for (const [dependsOn, status, sentence] of [
      [['b', 'c'], 400, 'Task a cannot depend on c: c already depends on a.'],
      [['b', 'nope'], 404, 'There is no task nope'],
      [['b', 'a'], 400, 'Task a cannot depend on itself.'],
    ] as const) {
      const refused = await hub.call('PATCH', `${at}/tasks/a`, { dependsOn });
      expect(refused.status).toBe(status);
      expect(refused.body.error.message).toContain(sentence);
    }
    expect((await hub.get(`${at}/tasks/a`)).body.data.dependsOn).toEqual([]);
    expect((await ledger.projects.get(project)).lastEvent).toBe(before);
    const both = await hub.call('PATCH', `${at}/tasks/c`, { dependsOn: ['a', 'b', 'b'] });
    expect(both.body.data.dependsOn).toEqual(['a', 'b']);
  });
});
