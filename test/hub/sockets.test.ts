import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { eachStoreInLong } from '../ledger/support/stores.ts';
import { testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

const by = { actor: { kind: 'person', name: 'ann' }, channel: 'rest' } as const;
const add = (ledger: Ledger, projectId: string, count: number, body = '') =>
  Promise.all(
    Array.from({ length: count }, (_, n) => ledger.tasks.add({ projectId, title: `t${n}`, body }, by)),
  );

eachStoreInLong((store) => {
  it('a client that returns with its cursor gets everything after it, in order, then new events (LED-11, HUB-2)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    await add(ledger, project, 300);
    const socket = await openSocket(hub, `/ws/projects/${project}?after=40`);
    // More events arrive while it catches up.
    await add(ledger, project, 40);
    const events = await socket.has(300);
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 300 }, (_, n) => n + 41));
    socket.socket.terminate();
    await add(ledger, project, 5);
    const again = await openSocket(hub, `/api/v1/ws/projects/${project}?after=340`);
    await again.has(5);
    await add(ledger, project, 1);
    expect((await again.has(6)).map(({ number }) => number)).toEqual([341, 342, 343, 344, 345, 346]);
  });

  it('without a cursor it gets new events, even those that another process stores (HUB-2)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    await add(ledger, project, 3);
    const socket = await openSocket(hub, `/ws/projects/${project}`);
    const elsewhere = await store.open();
    await add(elsewhere, project, 1);
    expect(await socket.has(1)).toMatchObject([{ number: 4, type: 'task.updated' }]);
  });

  it('one socket gets the events of all projects, including new ones (HUB-2)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    await add(ledger, project, 3);
    const known = (await ledger.projects.list()).map(({ id, lastEvent }) => `${id}:${lastEvent}`);
    const cursors = known.filter((cursor) => !cursor.startsWith(project));
    const socket = await openSocket(hub, `/ws?after=${[...cursors, `${project}:1`].join(',')}`);
    const later = await store.project(ledger);
    await add(ledger, later, 1);
    const events = await socket.has(3);
    expect(events.filter(({ projectId }) => projectId === project).map(({ number }) => number)).toEqual([
      2, 3,
    ]);
    expect(events).toContainEqual(expect.objectContaining({ projectId: later, number: 1 }));
  });

  it('refuses a cursor that is not an event of the project, because continuing from it would miss events (HUB-2)', async () => {
    const { project } = await store.start();
    const hub = await testHub(store);
    for (const after of ['x', '-1', '1e3']) {
      await expect(openSocket(hub, `/ws/projects/${project}?after=${after}`), after).rejects.toThrow('400');
    }
    await expect(openSocket(hub, `/ws/projects/${project}?after=1`)).rejects.toThrow('410');
    await expect(openSocket(hub, `/ws?after=${project}:1`)).rejects.toThrow('410');
    await expect(openSocket(hub, '/ws/projects/p-none')).rejects.toThrow('404');
    await expect(openSocket(hub, '/ws/else')).rejects.toThrow('404');
    await expect(openSocket(hub, '/ws?after=nonsense')).rejects.toThrow('400');
  });

  it('a client that does not read is cut off with its cursor; the others still get events (HUB-2)', {
    timeout: 120_000,
  }, async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    const [slow, quick] = [
      await openSocket(hub, `/ws/projects/${project}`),
      await openSocket(hub, `/ws/projects/${project}`),
    ];
    slow.socket.pause();
    const question = (n: number) => ({
      projectId: project,
      source: 'plan' as const,
      sourceId: `s${n}`,
      questions: [{ text: 'Which?', context: 'x'.repeat(250_000) }],
    });
    for (let n = 0; n < 60; n++) await ledger.notifications.create(question(n), by);
    await quick.has(60);
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    // Terminated if it did not even accept the last message.
    expect([4408, 1006]).toContain(code);
    if (code === 4408) expect(reason).toBe(`too slow; reconnect after ${slow.events.length}`);
    expect(slow.events.length).toBeLessThan(60);
    const again = await openSocket(hub, `/ws/projects/${project}?after=${slow.events.length}`);
    expect((await again.has(60 - slow.events.length)).at(-1)).toMatchObject({ number: 60 });
  });

  it('a request that is still arriving when the hub stops is read and answered (HUB-1)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    const idle = await openSocket(hub, `/ws/projects/${project}`);
    const text = JSON.stringify({ title: 'Half way' });
    const client = connect(Number(new URL(hub.url).port), '127.0.0.1');
    const reply = new Promise<string>((resolve, reject) => {
      let received = '';
      client.on('data', (chunk) => {
        received += chunk;
      });
      client.on('end', () => resolve(received));
      client.on('error', reject);
    });
    client.write(
      `POST /projects/${project}/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hub.token}\r\n` +
        `Content-Length: ${text.length}\r\n\r\n${text.slice(0, 5)}`,
    );
    // Once another request on a separate connection is served, the hub has seen this one.
    await hub.get('/projects');
    const stopped = hub.stop();
    expect(await idle.closed).toMatchObject({ code: 1001 });
    client.write(text.slice(5));
    expect(await reply).toMatch(/^HTTP\/1\.1 201 /);
    await stopped;
    expect(await ledger.tasks.list(project)).toMatchObject([{ title: 'Half way' }]);
  });

  it('a stopping hub notifies the sockets and finishes open requests (HUB-1)', async () => {
    const { ledger, project } = await store.start();
    const hub = await testHub(store);
    const socket = await openSocket(hub, `/ws/projects/${project}`);
    const asked = Array.from({ length: 20 }, (_, n) =>
      hub.call('POST', `/projects/${project}/tasks`, { title: `t${n}` }),
    );
    await asked[0];
    const stopped = hub.stop();
    const replies = await Promise.allSettled(asked);
    expect(await socket.closed).toMatchObject({ code: 1001 });
    await stopped;
    const stored = (await ledger.tasks.list(project)).length;
    const told = replies.filter((reply) => reply.status === 'fulfilled' && reply.value.status === 201).length;
    expect(stored).toBe(told);
    await expect(fetch(hub.url)).rejects.toThrow();
  });
});
