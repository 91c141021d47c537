import { expect, it } from 'vitest';
import { ask } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { testHub } from '../support/hub.ts';
import { receiver } from '../support/receiver.ts';

eachStoreInLong((store) => {
  it('reminders are sent, and deadlines apply even if nobody waits (CHAN-3, CHAN-4)', async () => {
    const { ledger, project } = await store.start();
    const hooked = await receiver();
    await testHub(store, { sinks: [hooked.sink] });
    const remind = await ask(
      ledger,
      project,
      { sourceId: 'remind', policy: { kind: 'remind', after: 0.5 } },
      ann,
    );
    const skip = await ask(ledger, project, { sourceId: 'skip', policy: { kind: 'skip', after: 0.2 } }, ann);
    const fail = await ask(ledger, project, { sourceId: 'fail', policy: { kind: 'fail', after: 0.2 } }, ann);
    const answers = { q1: 'SQLite' };
    const byDefault = { kind: 'default' as const, after: 0.2, answers };
    const given = await ask(ledger, project, { sourceId: 'default', policy: byDefault }, ann);
    const status = async (id: string) => (await ledger.notifications.get(project, id)).status;
    await expect.poll(() => status(skip.id)).toBe('skipped');
    await expect.poll(() => status(fail.id)).toBe('expired');
    await expect.poll(() => status(given.id)).toBe('answered');
    const { responses } = await ledger.notifications.get(project, given.id);
    expect(responses).toMatchObject([
      { answer: 'SQLite', by: { actor: { kind: 'policy', name: 'default' } } },
    ]);
    await expect
      .poll(() => hooked.received.some(({ body }) => body.text.startsWith('*Still waiting')))
      .toBe(true);
    await ledger.notifications.withdraw(project, remind.id, 'Enough.', ann);
  });
});
