import { expect, it } from 'vitest';
import { eachStoreInLong } from '../ledger/support/stores.ts';
import flow from '../ledger/vectors/flow.json' with { type: 'json' };
import { type Reply, type TestHub, testHub } from './support/hub.ts';

/** The same vectors as the ledger's, played through the API. */
interface Play {
  hub: TestHub;
  at: string;
  asked: string[];
}
type Deed = (play: Play, ...given: unknown[]) => Promise<Reply>;

const patch =
  (body: unknown): Deed =>
  ({ hub, at }, id) =>
    hub.call('PATCH', `${at}/tasks/${id}`, body);

async function ask({ hub, at, asked }: Play, body: Record<string, unknown>): Promise<Reply> {
  const reply = await hub.call('POST', `${at}/notifications`, body);
  if (reply.status < 300) asked.push(reply.body.data.id);
  return reply;
}

const deeds: Record<string, Deed> = {
  add: ({ hub, at }, id) => hub.call('POST', `${at}/tasks`, { id, title: 'Work' }),
  depend: (play, id, on) => patch({ dependsOn: [on] })(play, id),
  claim: ({ hub, at }, id, worker) => hub.call('POST', `${at}/tasks/${id}/claim`, { worker }),
  release: patch({ assignee: null }),
  block: (play, id, reason) => patch({ status: 'blocked', block_reason: reason })(play, id),
  unblock: patch({ status: 'open' }),
  close: patch({ status: 'closed' }),
  ask: (play, sourceId, text) =>
    ask(play, {
      source: 'execute',
      sourceId,
      questions: text === undefined ? ['First?', 'Second?'] : [text],
    }),
  feedback: (play, sourceId) => ask(play, { source: 'eval', sourceId, questions: ['Which database?'] }),
  answer: ({ hub, at, asked }, n, given) => {
    const responses = Object.entries(given as object).map(([questionId, answer]) => ({ questionId, answer }));
    return hub.call('PATCH', `${at}/notifications/${asked[Number(n)] ?? 'n-0'}`, { responses });
  },
  withdraw: ({ hub, at, asked }, n) => hub.call('DELETE', `${at}/notifications/${asked[Number(n)]}`),
};

eachStoreInLong((store) => {
  it.each(flow)(
    'HUB-1 LED-4 LED-6 LED-7 LED-8 $name',
    async ({ steps, refused, task, ready, open, said }) => {
      const { ledger, project } = await store.start();
      const play: Play = { hub: await testHub(store), at: `/projects/${project}`, asked: [] };
      const { hub, at } = play;
      for (const [n, [name, ...given]] of steps.entries()) {
        const { body } = (await deeds[`${name}`]?.(play, ...given)) ?? { body: {} };
        expect(body.error?.code, `${name}: ${body.error?.message}`).toBe(
          n === steps.length - 1 ? refused : undefined,
        );
      }
      if (task) expect((await hub.get(`${at}/tasks/a`)).body.data).toMatchObject(task);
      const ids = (await hub.get(`${at}/tasks/ready`)).body.data.map(({ id }: { id: string }) => id);
      expect(ids).toEqual(ready);
      expect((await hub.get(`${at}/notifications`)).body.data).toHaveLength(open);
      // Not every vector contains the task that its questions belong to.
      if (said) expect((await ledger.tasks.chat(project, 'a')).map(({ text }) => text)).toEqual(said);
    },
  );
});
