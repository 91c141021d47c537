import { describe, expect, it } from 'vitest';
import { ann } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';
import { openSocket } from '../support/socket.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

eachStore((store) => {
  describe('many sockets (HUB-3)', () => {
    it('one token cannot take up all sockets: there is room for others', async () => {
      const { hub, at } = await startHubOn(store, { limits: { sockets: 5, socketsPerToken: 2 } });
      const token = await tokenFor(hub, 'human');
      const [first] = [await openSocket(hub, `/ws${at}`), await openSocket(hub, `/ws${at}`)];
      await expect(openSocket(hub, `/ws${at}`)).rejects.toThrow('status 503');
      await openSocket(hub, `/ws${at}`, token.headers);
      first?.socket.terminate();
      const opens = () => openSocket(hub, `/ws${at}`).then(Boolean, () => false);
      await expect.poll(opens).toBe(true);
      expect(await opens()).toBe(false);
    });

    it('more sockets than it holds are refused, those that are open stay', async () => {
      const { hub, at, ledger, project } = await startHubOn(store, { limits: { sockets: 3 } });
      const sockets = [];
      for (let n = 0; n < 3; n++) sockets.push(await openSocket(hub, `/ws${at}`));
      await expect(openSocket(hub, `/ws${at}`)).rejects.toThrow('status 503');
      sockets[0]?.socket.terminate();
      await expect
        .poll(() =>
          openSocket(hub, `/ws${at}`).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      await ledger.tasks.add({ projectId: project, title: 'x' }, ann);
      expect(await sockets[2]?.has(1)).toMatchObject([{ type: 'task.updated' }]);
    });
  });
});
