import { expect, it } from 'vitest';
import { eachStore } from '../../ledger/support/stores.ts';
import type { TestHub } from '../support/hub.ts';
import { question, startHubOn, tokenFor } from '../support/start.ts';

/** Puts one thing on a list and tells its id. */
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

async function everyPage(hub: TestHub, path: string, headers?: Record<string, string>) {
  const pages: unknown[][] = [];
  let next = '';
  do {
    const page = (await hub.get(`${path}?limit=3${next}`, headers)).body;
    pages.push(page.data.map(({ id }: { id: unknown }) => id));
    next = page.next === undefined ? '' : `&after=${encodeURIComponent(page.next)}`;
  } while (next !== '' && pages.length < 20);
  return pages;
}

eachStore((store) => {
  it.each(Object.entries(adders))('%s come in pages, each of them once (HUB-1)', async (path, add) => {
    const { hub, at } = await startHubOn(store);
    const list = `/api/v1${at}/${path}`;
    const made = new Set<unknown>();
    for (let n = 0; made.size < 7; n++) made.add(await add(hub, `/api/v1${at}`, n));
    const pages = await everyPage(hub, list);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat().sort()).toEqual([...made].sort());
    for (const query of ['after=nonsense', 'after=-1', 'after=1e3', 'limit=0', 'limit=1001', 'offset=1'])
      expect((await hub.get(`${list}?${query}`)).status, query).toBe(400);
  });

  it('what an agent may not see in a chat leaves its pages shorter, and ends none of them (HUB-1, HUB-3)', async () => {
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
