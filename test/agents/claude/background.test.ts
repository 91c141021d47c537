import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longTest } from '../../support/long-test.ts';
import { text, toolUse } from '../../support/model/anthropic-reply.ts';
import { toolResult } from '../../support/model/anthropic-request.ts';
import { CLAUDE_NOW, type RealCliName } from '../clis/real-cli.ts';
import { ask, bash, scene, subAgent, threads } from './real-scene.ts';
import { settle } from './stand-in.ts';

describe.each(CLAUDE_NOW)('HEAR-1: background work of the real %s', (name: RealCliName) => {
  it('HEAR-1 HEAR-2: two background sub-agents, one of them with a nested one, ask for Bash and with ask_human; each gets its own answer', async ({
    skip,
  }) => {
    const question = { question: 'Language?', options: [{ label: 'Rust' }, { label: 'Zig' }] };
    const askHuman = (id: string) => toolUse(id, 'mcp__fermata_run__ask_human', { questions: [question] });
    const { model, start, home } = await scene(
      name,
      skip,
      threads({
        INNER: [askHuman('toolu_inner'), bash('toolu_inner_bash', 'touch inner'), text('Inner is over.')],
        ONE: [askHuman('toolu_one'), bash('toolu_one_bash', 'touch one'), text('One is over.')],
        TWO: [subAgent('toolu_nest', 'INNER', false), text('Two is over.')],
        main: [
          [subAgent('toolu_a', 'ONE'), subAgent('toolu_b', 'TWO')],
          text('I wait for both.'),
          // The CLI wakes it once for both if they end together.
          text('Done.'),
          text('Done.'),
        ],
      }),
      { parkAfterMs: 300 },
    );
    const { run, event } = start('Plan the project.');
    const one = { parent: 'toolu_a', asker: 'the job of ONE' };
    const inner = { parent: 'toolu_nest', asker: 'the job of INNER' };
    const answered = async (id: string, asker: object, language: string) => {
      const { ask } = await event('question', (each) => each.ask.id === id);
      expect(ask).toMatchObject(asker);
      const settled = settle({ ...ask, questions: [{ text: 'Language?' }] }, [language]);
      expect(await run.answer(id, settled)).toBe(true);
    };
    await answered('toolu_inner', inner, 'Rust');
    await answered('toolu_one', one, 'Zig');
    const wishes = [
      await event('permission', ({ id }) => id === 'toolu_one_bash'),
      await event('permission', ({ id }) => id === 'toolu_inner_bash'),
    ];
    expect(wishes).toMatchObject([
      { tool: 'Bash', ...one },
      { tool: 'Bash', ...inner },
    ]);
    expect(await run.permit('toolu_inner_bash', false, { note: 'Leave it.' })).toBe(true);
    expect(await run.permit('toolu_one_bash', true)).toBe(true);

    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.', exitCode: 0 });
    expect(toolResult(model.requests, 'toolu_one')).toEqual({ text: 'Language?\nZig', isError: false });
    expect(toolResult(model.requests, 'toolu_inner')?.text).toBe('Language?\nRust');
    expect(toolResult(model.requests, 'toolu_one_bash')?.isError).toBe(false);
    expect(toolResult(model.requests, 'toolu_inner_bash')?.text).toContain('Leave it.');
    expect([existsSync(join(home.cwd, 'one')), existsSync(join(home.cwd, 'inner'))]).toEqual([true, false]);
    const sub = model.requests.find(({ tools }) => !tools.includes('AskUserQuestion'));
    expect(sub?.tools).toContain('mcp__fermata_run__ask_human');
    const main = model.requests[0];
    expect(JSON.stringify([main?.system, main?.messages])).toContain(
      'Sub-agents do not have AskUserQuestion.',
    );
  });

  longTest(
    'HEAR-3: with a sub-agent alive and its permission open, a question is held until all are answered',
    async ({ skip }) => {
      const { model, start } = await scene(
        name,
        skip,
        threads({
          ONE: [bash('toolu_one', 'touch one'), text('One is over.')],
          main: [
            subAgent('toolu_a', 'ONE'),
            ask('toolu_ask', 'Language?', 'Rust', 'Zig'),
            text('Done.'),
            text('Done.'),
          ],
        }),
        { parkAfterMs: 700 },
      );
      const { run, event } = start('Plan the project.');
      const { ask: asked } = await event('question');
      await event('permission');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await run.permit('toolu_one', true)).toBe(true);
      await expect.poll(() => toolResult(model.requests, 'toolu_one')?.isError).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(model.requests.filter((request) => request.tools.includes('AskUserQuestion'))).toHaveLength(2);
      expect(await run.answer('toolu_ask', settle(asked, ['Zig']))).toBe(true);
      expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.', exitCode: 0 });
      expect(toolResult(model.requests, 'toolu_ask')?.text).toContain('"Language?"="Zig"');
    },
  );

  longTest(
    'HEAR-3: while the model still writes a second question, the first one is not parked',
    async ({ skip }) => {
      const script = [
        [
          ask('toolu_one', 'Language?', 'Rust', 'Zig'),
          { ...ask('toolu_two', 'Store?', 'Disk', 'Memory'), afterMs: 2000 },
        ],
        text('Done.'),
      ];
      const { model, start } = await scene(name, skip, script, { parkAfterMs: 500 });
      const { run, event } = start('Plan the project.');
      const one = await event('question', (each) => each.ask.id === 'toolu_one');
      const two = await event('question', (each) => each.ask.id === 'toolu_two');
      expect(await run.answer('toolu_one', settle(one.ask, ['Zig']))).toBe(true);
      expect(await run.answer('toolu_two', settle(two.ask, ['Disk']))).toBe(true);
      expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.' });
      expect(model.requests).toHaveLength(2);
      expect(toolResult(model.requests, 'toolu_one')?.text).toContain('"Language?"="Zig"');
      expect(toolResult(model.requests, 'toolu_two')?.text).toContain('"Store?"="Disk"');
    },
  );

  longTest('HEAR-1: work that does not end is stopped after a while, and reported', async ({ skip }) => {
    const script = [bash('toolu_bg', 'sleep 600', true), text('The server runs.')];
    const { start } = await scene(name, skip, script, { backgroundWaitMs: 1500 });
    const { run, events } = start('Plan the project.');
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'ok', text: 'The server runs.' });
    expect(end.message).toBe(
      'claude has finished. Fermata ended it after waiting 1.5 s for its background work (runs toolu_bg). Use --background-wait to wait longer.',
    );
    const notices = events.filter(({ kind }) => kind === 'notice');
    expect(notices).toHaveLength(2);
    expect(notices[0]).toEqual({
      kind: 'notice',
      text: 'claude is waiting for its background work: runs toolu_bg.',
    });
  });
});
