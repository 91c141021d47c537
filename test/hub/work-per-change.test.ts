import { expect, it, onTestFinished, vi } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { eachStoreInLong } from '../ledger/support/stores.ts';
import { testHub } from './support/hub.ts';
import { openSocket } from './support/socket.ts';

const by = { actor: { kind: 'person', name: 'ann' }, channel: 'rest' } as const;

eachStoreInLong((store) => {
  it('of many projects, the hub reads only those with changes and listeners (HUB-2)', async () => {
    const ledger = await store.open();
    const heard = await store.project(ledger);
    const others = await Promise.all(Array.from({ length: 100 }, () => store.project(ledger)));
    const hubs = await openLedger(store.place, {});
    onTestFinished(() => hubs.close()); // after the hub has stopped: the last is done first
    const list = vi.spyOn(hubs.events, 'list');
    const hub = await testHub(store, { ledger: hubs });
    const one = await openSocket(hub, `/ws/projects/${heard}`);
    const add = (projectId: string, title: string) => ledger.tasks.add({ projectId, title }, by);
    for (const project of others) await add(project, 'Unheard');
    await add(heard, 'Heard');
    await one.has(1);
    expect(new Set(list.mock.calls.map(([project]) => project))).toEqual(new Set([heard]));

    const all = await openSocket(hub, '/ws');
    list.mockClear();
    const [changed = ''] = others;
    await add(changed, 'Heard now');
    expect(await all.has(1)).toMatchObject([{ projectId: changed, number: 2 }]);
    expect(list.mock.calls.map(([project, after]) => [project, after])).toEqual([[changed, 1]]);
  });
});
