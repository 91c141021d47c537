import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CLAUDE_NOW } from '../agents/clis/real-cli.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { fermata } from '../support/fermata.ts';
import { failingModel } from './support/failing-model.ts';
import { describeInterrupted } from './support/interrupted-commands.ts';
import { killBoth, Person, signalAgent } from './support/person.ts';

/** A loaded machine takes its time to start so many programs. */
vi.setConfig({ testTimeout: 120_000 });

describe.each(CLAUDE_NOW)('HEAR-5 fermata draft with the real %s', (name) => {
  const drafting = async (skip: (note: string) => never) => {
    const failing = await failingModel(name, skip, PLAN);
    const draft = failing.start('draft', 'A shop', '--adaptive', ...failing.by);
    const person = new Person(await failing.ledger());
    const asked = await person.asked();
    return { failing, draft, person, asked };
  };

  it('a refused key after the answer ends with exit code 4; --resume outwaits an outage in the same session', async ({
    skip,
  }) => {
    const { failing, draft, person, asked } = await drafting(skip);
    failing.fail(401, 1);
    await person.answer(asked);
    const refused = await draft.ended;
    const [run] = await person.runs();
    expect([refused.code, run?.status], refused.stderr).toEqual([4, 'waiting']);
    expect(refused.stderr).toContain('Invalid API key');
    expect(refused.stderr).toContain(`Nothing is lost: "fermata draft --resume ${run?.id}" continues.`);

    failing.fail(500, 1);
    const { code, stderr } = await fermata(['draft', '--resume'], failing.at);
    expect(code, stderr).toBe(0);
    expect(stderr.match(/The session is kept; Fermata will retry\./g)).toHaveLength(1);
    const [again, ...others] = await person.runs();
    expect([again?.sessionId, again?.status, others]).toEqual([run?.sessionId, 'ended', []]);
    expect([failing.asks(), (await person.rows()).length, failing.answers()]).toEqual([1, 1, 1]);
    expect(existsSync(join(failing.at.cwd, 'plans', 'a-shop', 'MASTER_PLAN.md'))).toBe(true);
  });

  it('HEAR-4 killed right after an answer was delivered, the agent is resumed with it, and nobody is asked again', async ({
    skip,
  }) => {
    const { failing, draft, person, asked } = await drafting(skip);
    failing.hold(true);
    await person.answer(asked);
    await person.delivered(asked);
    await killBoth(draft, failing.at.cwd);
    failing.hold(false);
    const { code, stderr } = await fermata(['draft', '--resume'], failing.at);
    expect(code, stderr).toBe(0);
    expect([failing.asks(), (await person.rows()).length, failing.answers()]).toEqual([1, 1, 1]);
    expect(new Set((await person.runs()).map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it.for([
    ['SIGKILL', 'was killed by SIGKILL'],
    ['SIGINT', 'ended with exit code 0 before it finished'],
  ] as const)(
    'an agent that gets %s after the answer is resumed by itself',
    async ([signal, told], { skip }) => {
      const { failing, draft, person, asked } = await drafting(skip);
      // Its model is silent, so that it is alive when it is killed.
      const [before] = await person.runs();
      failing.hold(true);
      await person.answer(asked);
      await person.delivered(asked);
      signalAgent(signal, draft, failing.at.cwd);
      failing.hold(false);
      const { code, stderr } = await draft.ended;
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(told);
      const runs = await person.runs();
      expect(runs.map(({ sessionId }) => sessionId)).toEqual([before?.sessionId]);
      expect([failing.asks(), (await person.rows()).length, failing.answers()]).toEqual([1, 1, 1]);
    },
  );
});

for (const name of CLAUDE_NOW) describeInterrupted(name, 401, ['feedback']);
