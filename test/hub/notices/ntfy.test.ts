import { expect, it } from 'vitest';
import { ntfySink } from '../../../src/channels/notices/ntfy.ts';
import { ask } from '../../ledger/support/ask.ts';
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
});
