import { describe, expect, it } from 'vitest';
import { ask, bash, scene, subAgent, threads } from '../agents/claude/real-scene.ts';
import { settle } from '../agents/claude/stand-in.ts';
import { CLAUDES, type RealCliName } from '../agents/clis/real-cli.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';

// 2.1.325 refuses to run a long `sleep` in the foreground.
describe.each(CLAUDES)('HEAR-1: long background work of the real %s', (name: RealCliName) => {
  it('HEAR-1: the run waits 30 s for a command and a sub-agent, which then asks', async ({ skip }) => {
    const { model, start } = await scene(
      name,
      skip,
      threads({
        ONE: [bash('toolu_one', 'timeout 30 tail -f /dev/null; touch one'), text('One is over.')],
        main: [
          [bash('toolu_bg', 'sleep 30', true), subAgent('toolu_a', 'ONE')],
          text('I wait for both.'),
          ask('toolu_ask', 'Language?', 'Rust', 'Zig'),
          text('Done.'),
          text('Done.'),
        ],
      }),
    );
    const { run, event } = start('Plan the project.');
    await event('permission');
    expect(await run.permit('toolu_one', true)).toBe(true);
    const { ask: asked } = await event('question');
    expect(await run.answer('toolu_ask', settle(asked, ['Zig']))).toBe(true);
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.', exitCode: 0 });
    expect(toolResult(model.requests, 'toolu_one')?.isError).toBe(false);
    expect(toolResult(model.requests, 'toolu_ask')?.text).toContain('"Language?"="Zig"');
  }, 180_000);

  it('HEAR-1: a wake-up that the agent scheduled starts a turn of the run', async ({ skip }) => {
    const wake = { cron: '*/1 * * * *', prompt: 'wake up', recurring: false };
    const script = [toolUse('toolu_cron', 'CronCreate', wake), text('Later.'), text('Done.')];
    const { start } = await scene(name, skip, script);
    const { run } = start('Plan the project.');
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Done.', exitCode: 0 });
  }, 180_000);
});
