import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing.ts';
import { BAD_PLAN, PLAN } from '../plan/convert/support/plans.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { draft, type Place, place, question } from './support/draft-place.ts';

/** A loaded machine needs a while to start so many programs. */
describe('ADP-4 the audit of a draft', () => {
  const asksThenFailsOnce = () =>
    new ScenarioBuilder()
      .asksQuestions(['Which database?'])
      .respondsWithText(BAD_PLAN)
      .nextInvocation()
      .respondsWithText(PLAN);
  const told = (at: Place, n: number) => JSON.stringify(at.handle.invocations()[n]);

  test('the next attempt gets what is wrong and all answers, and nobody is asked twice', async () => {
    const at = place(asksThenFailsOnce());
    const running = startFermata(['draft', 'A shop', '--adaptive', '--agent', 'scripted', '--json'], at);
    running.child.stdin?.end();
    const open = await question(at, running);
    await fermata(['answer', open.id, 'DuckDB'], at);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ audited: true, iterations: 2, rounds: 1 });
    const next = told(at, at.handle.invocations().length - 1);
    expect(next).toContain('- [error] MISSING_GATES: Phase 1 has no gates');
    expect(next).toMatch(/Which database\?[\s\S]*DuckDB/);
    expect((await fermata(['audit', 'plans/a-shop'], at)).code).toBe(0);
  });

  test('the plan also lists questions of a failed attempt that nobody was asked', async () => {
    const at = place(asksThenFailsOnce());
    expect((await draft(at, 'A shop')).code).toBe(0);
    expect(readFileSync(join(at.cwd, 'plans/a-shop/MASTER_PLAN.md'), 'utf8')).toContain('- Which database?');
  });

  test('kill -9 after the first answer was sent back: --resume or the same command continues there, and nobody is asked twice', async () => {
    for (const again of [['--resume'], ['A shop', '--agent', 'scripted']]) await killAndContinue(again);
  });

  async function killAndContinue(again: string[]): Promise<void> {
    const at = place(
      new ScenarioBuilder()
        .withSessionId('s-1')
        .respondsWithText(BAD_PLAN)
        .nextInvocation()
        .withSessionId('s-2')
        .respondsWithText(PLAN),
    );
    const env = { ...at.env, FERMATA_CRASH_AT: 'assignment.sent-back=kill' };
    const killed = await fermata(['draft', 'A shop', '--agent', 'scripted'], { ...at, env });
    expect(killed.code).toBe(null);
    expect(existsSync(join(at.cwd, 'plans/a-shop'))).toBe(false);
    const { code, stdout, stderr } = await fermata(['draft', ...again, '--json'], at);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ iterations: 2, audited: true });
    expect(readdirSync(join(at.cwd, 'plans')), 'nothing is left over').toEqual(['a-shop']);
    expect(at.handle.invocations(), 'two answers, each asked for once').toHaveLength(2);
  }

  longTest(
    'if an agent crashes twice in the second attempt, the first attempt can be continued',
    async () => {
      const at = place(
        new ScenarioBuilder()
          .respondsWithText(BAD_PLAN)
          .nextInvocation()
          .crashes()
          .nextInvocation()
          .crashes()
          .nextInvocation()
          .respondsWithText(PLAN),
      );
      const crashed = await draft(at, 'A shop', '--json');
      expect(crashed.code).toBe(4);
      expect(JSON.parse(crashed.stdout)).toMatchObject({ error: { code: 'crashed' } });
      const [run] = /r-\w{4}/.exec(JSON.stringify((await fermata(['events', '--json'], at)).stdout)) ?? [''];
      const resumed = await fermata(['draft', '--resume', run, '--json'], at);
      expect(JSON.parse(resumed.stdout), 'by the beginning of its id').toMatchObject({ iterations: 2 });
      expect(told(at, 1)).toContain('MISSING_GATES');
      const [, second, , last] = at.handle.invocations();
      expect(last, 'in the session that knows what was wrong').toMatchObject({ resumed: second?.sessionId });
    },
  );
});
