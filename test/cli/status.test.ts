import { describe, expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';
import { inTerminal } from '../support/pty.ts';
import { planRepository } from './run/support/plan-repository.ts';

const LONG = 120_000;

/** One phase is done, one asks, one depends on it. */
async function begunPlan() {
  const place = planRepository([
    { id: '1', steps: [{ do: 'run', command: 'echo hello' }] },
    { id: '2', steps: [{ do: 'ask', questions: ['Which colour?'] }] },
    { id: '3', dependsOn: ['2'] },
  ]);
  expect((await place.run('--no-review', '--park-after', '0.1')).code).toBe(3);
  return place;
}

describe('CLI-status CLI-logs CLI-cost CLI-stop CLI-pause CLI-resume', () => {
  test(
    'one screen says what every task is doing, its log what its agents did, and the cost what they used',
    async () => {
      const { at, inbox } = await begunPlan();
      const json = async (...args: string[]) => JSON.parse((await fermata([...args, '--json'], at)).stdout);
      const status = async () => (await json('status')).projects[0];
      const states = async () =>
        (await status()).tasks.map(({ id, state }: { id: string; state: string }) => [id, state]);
      const [asked] = await inbox();
      expect(await status()).toMatchObject({ name: 'shop', open_questions: 1, not_started: 1, done: 1 });
      expect((await status()).tasks).toMatchObject([
        { id: 'shop/2', state: 'waiting for you', agent: 'scripted', question: asked?.id },
      ]);
      const text = (await fermata(['status'], at)).stdout;
      expect(text).toContain('1 waiting for you · 1 not started · 1 done · 1 open question');
      expect(text).toContain(asked?.id);

      expect(await fermata(['pause', 'shop/'], at)).toMatchObject({ code: 0, stdout: 'shop/ is paused.\n' });
      await fermata(['answer', asked?.id ?? '', 'red'], at);
      expect(await states()).toEqual(expect.arrayContaining([['shop/2', 'paused']]));
      expect((await fermata(['resume', 'shop/'], at)).stdout).toBe('shop/ is resumed.\n');
      expect(await states()).toEqual([['shop/2', 'stopped']]);
      expect(await json('stop', 'shop/2')).toEqual({ task: 'shop/2', stopped: false });

      const log = (await fermata(['logs', 'shop/1'], at)).stdout;
      expect(log).toMatch(/scripted starts[\s\S]*> echo hello[\s\S]*ended: /);
      expect((await fermata(['logs', 'shop/1', '-n', '1'], at)).stdout.trim().split('\n')).toHaveLength(1);
      expect((await fermata(['logs', 'shop/9'], at)).code).toBe(1);

      const { costs, total } = await json('cost', '--by', 'task');
      expect(costs.map(({ name, runs }: { name: string; runs: number }) => [name, runs])).toEqual(
        expect.arrayContaining([
          ['shop/1', 1],
          ['shop/2', 1],
        ]),
      );
      expect(total.inputTokens).toBeGreaterThan(0);
      expect((await json('cost', '--since', '2999-01-01')).costs).toEqual([]);
    },
    LONG,
  );

  test('CLI-EXIT-0 where nothing was begun, it says how to begin; in a terminal, "fermata" alone is enough', async () => {
    const at = { cwd: freshFolder() };
    expect(await fermata(['status'], at)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('plan-from-issues'),
    });
    const terminal = inTerminal([], at);
    await terminal.shows(/Nothing runs and nothing waits/);
    expect(await terminal.ended).toBe(0);
  });
});
