import { describe, expect, it } from 'vitest';
import { spend } from '../../src/ledger/notifications/agent-limits.ts';
import type { Channel } from '../../src/schema/actor.ts';
import { limits } from '../../src/schema/limits.ts';
import { longTest } from '../support/long-test.ts';
import { ask, refusal } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

/** As if agents had used their rate for an hour, because a slow machine may regain a minute before the check. */
const EXHAUST = 'update agent_rates set used_until = used_until + 100000 where project_id = ?';

describe('the rate of an agent', () => {
  it('allows a burst, then a number per minute; a clock that goes back adds nothing (BIND-15)', () => {
    let used: number | undefined;
    const now = 1_000_000;
    for (let n = 0; n < 60; n++) {
      const next = spend(used, 60, now);
      if (!('usedUntil' in next)) throw new Error(`refused after ${n}`);
      used = next.usedUntil;
    }
    expect(spend(used, 60, now)).toEqual({ retryAfter: 1 });
    expect(spend(used, 60, now + 1000)).toEqual({ usedUntil: now + 61_000 });
    expect(spend(used, 60, now - 5000)).toEqual({ retryAfter: 6 });
    expect(spend(used, 60, now + 3_600_000)).toEqual({ usedUntil: now + 3_601_000 });
  });

  it('OPS-5 is not silent for a day if the clock was a day ahead', () => {
    const now = 1_000_000;
    expect(spend(now + 86_400_000, 60, now)).toEqual({ usedUntil: now + 1000 });
  });

  eachStore((store) => {
    it.each<Channel>(['rest', 'mcp', 'command', 'agent'])(
      'binds it whichever way it comes in: %s, also through another process (BIND-15)',
      async (channel) => {
        const { ledger, project } = await store.start();
        const by = { actor: { kind: 'agent' as const, name: 'hasty' }, channel };
        await ask(ledger, project, { sourceId: 'first' }, by);
        await store.sql(EXHAUST, project);
        const other = await store.open();
        const refused = await refusal(ask(other, project, { sourceId: 'more' }, by));
        expect(refused).toMatchObject({ code: 'rate_limited', details: { retryAfter: expect.any(Number) } });
        expect((await ask(other, project, { sourceId: 'person' }, ann)).status).toBe('open');
      },
    );

    it('applies to claims, blocks and every other change of a task (BIND-15)', async () => {
      const { ledger, project } = await store.start();
      const by = { actor: { kind: 'agent' as const, name: 'hasty' }, channel: 'rest' as const };
      for (const id of ['a', 'b']) await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      const claim = (id: string) => ledger.tasks.claim(project, id, { worker: 'w', leaseSeconds: 60 }, by);
      const { fence } = await claim('a');
      await store.sql(EXHAUST, project);
      for (const change of [
        () => claim('b'),
        () => ledger.tasks.heartbeat(project, 'a', fence, 60, by),
        () => ledger.tasks.release(project, 'a', fence, by),
        () => ledger.tasks.block(project, 'a', 'why', by, fence),
        () => ledger.tasks.depend(project, 'a', ['b'], by),
        () => ledger.tasks.close(project, 'a', by, fence),
      ])
        expect(await refusal(change())).toMatchObject({
          code: 'rate_limited',
          message: expect.stringContaining('600 changes to tasks per minute'),
        });
      expect(await ledger.tasks.get(project, 'a')).toMatchObject({ status: 'in_progress' });
      expect((await ledger.tasks.close(project, 'a', ann, fence)).status).toBe('closed');
    });

    longTest('limits an agent’s open questions, whichever channel it uses (BIND-15)', async () => {
      const { ledger, project } = await store.start();
      const by = { actor: { kind: 'agent' as const, name: 'many' }, channel: 'agent' as const };
      const { id } = await ask(ledger, project, { sourceId: 'first' }, ann);
      const others = Array.from({ length: limits.openPerAgent - 1 }, (_, n) =>
        ask(ledger, project, { sourceId: `s${n}` }, ann),
      );
      await Promise.all(others);
      // As if it had asked them over some time.
      const own = JSON.stringify(by);
      await store.sql('update open_questions set created_by = ? where project_id = ?', own, project);
      const refused = await refusal(ask(ledger, project, { sourceId: 'more' }, by));
      expect(refused).toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching(/many has 1000 open questions in this project.*withdraw/),
      });
      await ledger.notifications.withdraw(project, id, 'No longer needed.', by);
      expect(await ask(ledger, project, { sourceId: 'in its place' }, by)).toMatchObject({ overflow: true });
    });
  });
});
