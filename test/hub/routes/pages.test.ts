import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import type { TestHub } from '../support/hub.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

/** Adds one item to a list of a project and returns its id. */
const adders: Record<string, (hub: TestHub, at: string, n: number) => Promise<unknown>> = {
  runs: async (hub, at) =>
    (await hub.call('POST', `${at}/runs`, { agent: 'claude', source: 'execute', sourceId: 't1' })).body.data
      .id,
  feedback: async (hub, at) => (await hub.call('POST', `${at}/feedback`, { text: 'Slow.' })).body.data.id,
  tasks: async (hub, at) => (await hub.call('POST', `${at}/tasks`, { title: 'Work' })).body.data.id,
  'tasks/t1/chat': async (hub, at, n) => {
    if (n === 0) await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Work' });
    return (await hub.call('POST', `${at}/tasks/t1/chat`, { text: `${n}` })).body.data.id;
  },
  decisions: async (hub, at, n) => {
    const { id } = (await hub.call('POST', `${at}/notifications`, { ...question, sourceId: `s${n}` })).body
      .data;
    await hub.call('PATCH', `${at}/notifications/${id}`, { responses: [{ questionId: 'q1', answer: 'A' }] });
    return (await hub.get(`${at}/decisions?limit=1`)).body.data[0].id;
  },
};

/** The same for items that belong to no project. */
const addersForAll: Record<string, (hub: TestHub, ledger: Ledger) => Promise<unknown>> = {
  projects: async (_, { projects }) =>
    (await projects.ensure({ id: randomUUID(), name: 'same', root: null })).id,
  tokens: async (hub) => (await tokenFor(hub, 'agent')).id,
};

const wrongQueries = ['after=nonsense', 'after=-1', 'after=1e3', 'limit=0', 'limit=1001', 'offset=1'];

async function everyPage(hub: TestHub, path: string, headers?: Record<string, string>) {
  const pages: unknown[][] = [];
  let next = '';
  do {
    const page = (await hub.get(`${path}?limit=3${next}`, headers)).body;
    pages.push(page.data.map(({ id }: { id: unknown }) => id));
    next = page.next === undefined ? '' : `&after=${encodeURIComponent(page.next)}`;
  } while (next !== '' && pages.length < 50);
  return pages;
}

eachStoreInLong((store) => {
  it.each(Object.entries(adders))('%s come in pages, each of them once (HUB-1)', async (path, add) => {
    const { hub, at } = await startHubOn(store);
    const list = `/api/v1${at}/${path}`;
    const made = new Set<unknown>();
    for (let n = 0; made.size < 7; n++) made.add(await add(hub, `/api/v1${at}`, n));
    const pages = await everyPage(hub, list);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat().sort()).toEqual([...made].sort());
    for (const query of wrongQueries) expect((await hub.get(`${list}?${query}`)).status, query).toBe(400);
  });

  it.each(Object.entries(addersForAll))(
    '%s come in pages as well, each of them once and all in one order (HUB-1)',
    async (path, add) => {
      const { hub, ledger } = await startHubOn(store);
      const made = new Set<unknown>();
      while (made.size < 7) made.add(await add(hub, ledger));
      const pages = await everyPage(hub, `/${path}`);
      // Other tests of this store left some of theirs.
      expect(pages.slice(0, -1).every(({ length }) => length === 3)).toBe(true);
      const all = pages.flat();
      expect(new Set(all).size).toBe(all.length);
      expect(all).toEqual(expect.arrayContaining([...made]));
      const atOnce = (await hub.get(`/${path}?limit=1000`)).body;
      expect(atOnce.next).toBeUndefined();
      expect(atOnce.data.map(({ id }: { id: unknown }) => id)).toEqual(all);
      for (const query of wrongQueries) expect((await hub.get(`/${path}?${query}`)).status, query).toBe(400);
    },
  );

  it('messages that an agent may not see make its pages shorter, but do not end the list (HUB-1, HUB-3)', async () => {
    const { hub, at } = await startHubOn(store);
    const agent = await tokenFor(hub, 'agent');
    await hub.call('POST', `${at}/tasks`, { id: 't1', title: 'Work' });
    for (let n = 0; n < 4; n++) {
      const asked = { ...question, source: 'execute', sourceId: 't1', questions: [`Which ${n}?`] };
      const { id, questions } = (await hub.call('POST', `${at}/notifications`, asked)).body.data;
      const responses = [{ questionId: questions[0].id, answer: 'A' }];
      await hub.call('PATCH', `${at}/notifications/${id}`, { responses });
    }
    const said = (await hub.call('POST', `${at}/tasks/t1/chat`, { text: 'For all.' })).body.data.id;
    expect(await everyPage(hub, `${at}/tasks/t1/chat`, agent.headers)).toEqual([[], [said]]);
    expect((await everyPage(hub, `${at}/tasks/t1/chat`)).map(({ length }) => length)).toEqual([3, 2]);
  });
});
