import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { openSocket } from '../support/socket.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  it('a token of one project does not know that there are others (HUB-3)', async () => {
    const { ledger, hub, at, project } = await startHubOn(store);
    const other = await store.project(ledger);
    const { id } = (await hub.call('POST', `/projects/${other}/notifications`, question)).body.data;
    const { headers } = await tokenFor(hub, 'human', project);
    expect((await hub.get('/projects', headers)).body.data.map((p: { id: string }) => p.id)).toEqual([
      project,
    ]);
    expect((await hub.get('/notifications', headers)).body.data).toEqual([]);
    expect((await hub.get('/notifications/count', headers)).body.data).toEqual({ count: 0 });
    expect((await hub.get(`${at}/notifications`, headers)).status).toBe(200);
    for (const path of [
      '',
      '/notifications',
      `/notifications/${id}`,
      '/tasks',
      '/events',
      '/settings',
      '/plans',
    ]) {
      expect((await hub.get(`/projects/${other}${path}`, headers)).status, path).toBe(404);
    }
    expect((await hub.get(`${at}/notifications/${id}`, headers)).status).toBe(404);
    await expect(openSocket(hub, `/ws/projects/${other}`, headers)).rejects.toThrow('404');
    await expect(openSocket(hub, '/ws', headers)).rejects.toThrow('403');
    for (const path of ['/tokens', '/metrics']) expect((await hub.get(path, headers)).status).toBe(403);
    expect((await hub.call('POST', '/tokens', { name: 'all', role: 'human' }, headers)).status).toBe(403);
    expect((await hub.call('POST', '/projects', { root: '/' }, headers)).status).toBe(403);
  });
});
