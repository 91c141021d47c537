import { describe, expect, it } from 'vitest';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

eachStoreInLong((store) => {
  describe('workers', () => {
    it('TEAM-2 are listed for people, and a task says which ability no worker has', async () => {
      const { hub, at, ledger, project } = await startHubOn(store);
      await ledger.tasks.add({ projectId: project, id: 'a', title: 'A' }, ann);
      const options = { featureBranch: 'p', remote: null, options: { agent: 'codex' } };
      await ledger.queue.place({ projectId: project, scope: 'a', needs: ['codex', 'gpu'], options }, ann);
      const wait = async () => (await hub.get(`${at}/tasks/a`)).body.data.workerWait;
      expect(await wait()).toBe('waits for a worker with codex, gpu');
      const id = `w-${project}`;
      const worker = { id, home: 'h', name: 'ci', host: 'ci-1', slots: 1, projects: [project], version: '1' };
      await ledger.workers.seen({ ...worker, abilities: ['gpu'] });
      expect(await wait()).toBe('waits for a worker with codex');
      await ledger.workers.seen({ ...worker, abilities: ['gpu', 'codex'] });
      expect(await wait()).toBeUndefined();
      expect((await hub.get('/workers')).body.data).toMatchObject([
        { name: 'ci', abilities: ['codex', 'gpu'] },
      ]);
      const { headers } = await tokenFor(hub, 'agent');
      expect((await hub.get('/workers', headers)).status).toBe(403);
    });
  });
});
