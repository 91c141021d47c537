import { expect, it } from 'vitest';
import { askPatiently } from '../../../src/agents/run/run-questions.ts';
import { coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';

eachStore((store) => {
  it('an agent of a run that asks too fast waits for its turn, and nothing is lost (BIND-15)', async () => {
    const { ledger, project } = await store.start();
    const asked = (sourceId: string) => ({
      ...{ projectId: project, source: 'plan' as const, sourceId, questions: ['Which?'] },
    });
    await ledger.notifications.create(asked('first'), coder);
    await store.sql('update agent_rates set used_until = used_until + 59800 where project_id = ?', project);
    const { signal } = new AbortController();
    const created = await askPatiently(ledger.notifications, asked('second'), coder, signal);
    expect(created?.notification).toMatchObject({ status: 'open', sourceId: 'second' });

    await store.sql('update agent_rates set used_until = used_until + 40000 where project_id = ?', project);
    const stop = new AbortController();
    const waiting = askPatiently(ledger.notifications, asked('third'), coder, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });
});
