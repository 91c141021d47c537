import { expect, it } from 'vitest';
import { ntfySink } from '../../../src/channels/notices/ntfy.ts';
import { ask, askFor } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { testHub } from '../support/hub.ts';
import { receiver } from '../support/receiver.ts';

eachStoreInLong((store) => {
  it('ntfy gets its topic, a title and a button for the link (CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const server = await receiver();
    const sink = { ...ntfySink(new URL('/my-topic', server.url), 'tk_secret'), name: server.sink.name };
    await testHub(store, { sinks: [sink], publicUrl: new URL('https://hub.example.org') });
    await ask(ledger, project, { questions: ['Grün oder blau?'] });
    const [notice] = await server.has(1);
    expect(notice).toMatchObject({
      path: '/',
      headers: { authorization: 'Bearer tk_secret' },
      body: { topic: 'my-topic', message: 'Grün oder blau?', actions: [{ label: 'Answer' }] },
    });
    expect(notice?.body.click).toMatch(/^https:\/\/hub\.example\.org\/a\//);
  });

  it('ATT-9 the title says how many tasks wait behind the one that the question holds', async () => {
    const { ledger, project } = await store.start();
    const server = await receiver();
    const sink = { ...ntfySink(new URL('/my-topic', server.url), 'tk_secret'), name: server.sink.name };
    await testHub(store, { sinks: [sink], publicUrl: new URL('https://hub.example.org') });
    await ledger.tasks.add({ projectId: project, id: 'hours', title: 'Store hours' }, ann);
    await ledger.tasks.add({ projectId: project, id: 'days', title: 'Holidays', dependsOn: ['hours'] }, ann);
    await askFor(ledger, project, 'hours');
    const [notice] = await server.has(1);
    expect(notice?.body.title).toMatch(/holds up task hours · 1 task behind it$/);
  });
});
