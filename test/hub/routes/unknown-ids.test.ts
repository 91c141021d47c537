import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { question, startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  it('ids that are unknown, or of another project, are 404 (HUB-1)', async () => {
    const { ledger, hub, at } = await startHubOn(store);
    const other = await store.project(ledger);
    const make = async (path: string, body: unknown) =>
      (await hub.call('POST', `${at}/${path}`, body)).body.data;
    const { id } = await make('notifications', question);
    for (const path of [`${at}/notifications/n-none`, `/projects/${other}/notifications/${id}`]) {
      expect(await hub.get(path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
      expect((await hub.call('PATCH', path, { dismissed: true, reason: 'x' })).status).toBe(404);
      expect((await hub.call('DELETE', path)).status).toBe(404);
    }
    await make('tasks', { id: 't1', title: 'T' });
    const run = await make('runs', { agent: 'claude', source: 'execute', sourceId: 't1' });
    const feedback = await make('feedback', { text: 'Slow.' });
    const responses = [{ questionId: 'q1', answer: 'A', standing: true }];
    await hub.call('PATCH', `${at}/notifications/${id}`, { responses });
    const [decision] = (await hub.get(`${at}/decisions`)).body.data;
    const steps = [{ kind: 'text', text: 'x' }];
    for (const [method, path, body] of [
      ['GET', 'tasks/t1'],
      ['GET', 'tasks/t1/chat'],
      ['PATCH', 'tasks/t1', { status: 'closed' }],
      ['POST', 'tasks/t1/claim'],
      ['POST', 'tasks/t1/result', { status: 'success' }],
      ['POST', 'tasks/t1/chat', { text: 'x' }],
      ['GET', `runs/${run.id}`],
      ['GET', `runs/${run.id}/events`],
      ['PATCH', `runs/${run.id}`, { status: 'waiting', fence: run.fence }],
      ['POST', `runs/${run.id}/events`, { fence: run.fence, steps }],
      ['GET', `feedback/${feedback.id}`],
      ['DELETE', `decisions/${decision.id}/standing`],
    ] as const) {
      const there = await hub.call(method, `/projects/${other}/${path}`, body);
      expect(there.status, `${method} ${path}`).toBe(404);
    }
    expect((await ledger.projects.get(other)).lastEvent).toBe(0);
    for (const path of [
      'notifications',
      'tasks',
      'tasks/ready',
      'events',
      'runs',
      'plans',
      'decisions',
      'settings',
    ]) {
      expect((await hub.get(`/projects/p-none/${path}`)).status, path).toBe(404);
    }
  });
});
