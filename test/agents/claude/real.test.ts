import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECRET_FILES } from '../../../src/issues/analyst/secret-files.ts';
import { longTest } from '../../support/long-test.ts';
import { text, toolUse } from '../../support/model/anthropic-reply.ts';
import { toolResult, userTexts } from '../../support/model/anthropic-request.ts';
import { httpError } from '../../support/model/script.ts';
import { CLAUDE_NOW, type RealCliName } from '../clis/real-cli.ts';
import { ask, scene } from './real-scene.ts';
import { settle } from './stand-in.ts';

describe.each(CLAUDE_NOW)('DRV-7: the driver and the real %s', (name: RealCliName) => {
  const version = name.replace('claude-', '');

  it('ATT-1: it does not read files that may hold secrets, in any folder, and reads others', async ({
    skip,
  }) => {
    const { model, home, start } = await scene(
      name,
      skip,
      [
        [
          toolUse('toolu_top', 'Read', { file_path: '.env' }),
          toolUse('toolu_deep', 'Read', { file_path: 'deploy/prod/server.pem' }),
          toolUse('toolu_plain', 'Read', { file_path: 'notes.txt' }),
        ],
        text('Done.'),
      ],
      { hides: SECRET_FILES },
    );
    mkdirSync(join(home.cwd, 'deploy/prod'), { recursive: true });
    for (const file of ['.env', 'deploy/prod/server.pem', 'notes.txt'])
      writeFileSync(join(home.cwd, file), `content of ${file}\n`);
    expect(await start('Look around.').run.ended).toMatchObject({ reason: 'ok' });
    expect(toolResult(model.requests, 'toolu_top')).toMatchObject({ isError: true });
    expect(toolResult(model.requests, 'toolu_deep')).toMatchObject({ isError: true });
    expect(toolResult(model.requests, 'toolu_plain')?.text).toContain('content of notes.txt');
  });

  longTest(
    'DRV-2: permission, two questions at once, one refusal and one in plain words, all in one process',
    async ({ skip }) => {
      const { model, start } = await scene(name, skip, [
        toolUse('toolu_bash', 'Bash', { command: 'touch made-by-agent', description: 'make a file' }),
        [ask('toolu_one', 'Language?', 'Rust', 'Zig'), ask('toolu_two', 'Store?', 'Disk', 'Memory')],
        ask('toolu_three', 'Colour?', 'Red', 'Blue'),
        text('Which port should I use?'),
        text('Done.'),
      ]);
      const { run, event, events } = start('Plan the project.');
      const { id, tool } = await event('permission');
      expect([id, tool]).toEqual(['toolu_bash', 'Bash']);
      expect(await run.permit(id, true)).toBe(true);
      const one = await event('question', (each) => each.ask.id === 'toolu_one');
      const two = await event('question', (each) => each.ask.id === 'toolu_two');
      expect(await run.answer('toolu_two', settle(two.ask, [{ answer: 'Disk', note: 'the fast one' }]))).toBe(
        true,
      );
      expect(await run.answer('toolu_one', settle(one.ask, ['Ada, “of course”']))).toBe(true);
      const three = await event('question', (each) => each.ask.id === 'toolu_three');
      expect(await run.answer('toolu_three', settle(three.ask, [{ skipped: true }]))).toBe(true);
      const { ask: prose } = await event('question', (each) => each.ask.prose === true);
      expect(prose.questions).toEqual([{ text: 'Which port should I use?' }]);
      expect(await run.answer(prose.id, settle(prose, ['8080']))).toBe(true);

      const end = await run.ended;
      expect(end).toMatchObject({ reason: 'ok', text: 'Done.', exitCode: 0, skippedLines: 0 });
      expect(end.message).toBe(`claude ${version} has finished.`);
      expect(end.usage).toMatchObject({ inputTokens: 500, outputTokens: 100, costUsd: expect.any(Number) });
      expect(events.filter(({ kind }) => kind === 'session')).toEqual([
        { kind: 'session', sessionId: end.sessionId },
      ]);
      expect(toolResult(model.requests, 'toolu_bash')?.isError).toBe(false);
      expect(toolResult(model.requests, 'toolu_one')?.text).toContain('"Language?"="Ada, “of course”"');
      expect(toolResult(model.requests, 'toolu_two')?.text).toMatch(/"Store\?"="Disk".*the fast one/);
      expect(toolResult(model.requests, 'toolu_three')).toMatchObject({
        text: 'The person skipped this question. Use your best judgement.',
        isError: true,
      });
      expect(model.requests).toHaveLength(5);
      expect(userTexts(await model.request(1))).toContain('Plan the project.');
      expect(userTexts(await model.request(5)).at(-1)).toContain(
        'Q1: Which port should I use?\n\nMy answers:\n8080',
      );
      expect(model.requests[4]?.userAgent).toContain(`claude-cli/${version} `);
      expect(model.strays).toEqual([]);
    },
  );

  longTest(
    'DRV-3 DRV-6: answered in time through the hook, then parked, then stopped: each time resumed; the error names a missing session',
    async ({ skip }) => {
      const { model, start, resume } = await scene(
        name,
        skip,
        [
          ask('toolu_early', 'Language?', 'Rust', 'Zig'),
          [text('Hm.'), ask('toolu_late', 'Store?', 'Disk', 'Memory')],
          ask('toolu_last', 'Colour?', 'Red', 'Blue'),
          text('Done.'),
        ],
        { parkAfterMs: 2000 },
      );
      const first = start('Plan the project.');
      const early = await first.event('question');
      expect(await first.run.answer('toolu_early', settle(early.ask, ['Zig']))).toBe(true);
      const late = await first.event('question', (each) => each.ask.id === 'toolu_late');
      const parked = await first.run.ended;
      expect(parked).toMatchObject({ reason: 'parked', exitCode: 0 });
      expect(parked.message).toContain(`claude ${version} is parked`);
      const inTime = settle(late.ask, ['Memory']);
      expect(await first.run.answer('toolu_late', inTime)).toBe(false);

      const second = resume(parked.sessionId, 'toolu_late', inTime);
      expect(await second.run.answer('toolu_late', inTime)).toBe(true);
      const last = await second.event('question');
      expect(last.ask.id, 'it does not ask again').toBe('toolu_last');
      expect(toolResult(model.requests, 'toolu_early')?.text).toContain('"Language?"="Zig"');
      expect(toolResult(model.requests, 'toolu_late')).toMatchObject({
        text: expect.stringContaining('"Store?"="Memory"'),
        isError: false,
      });
      const stopped = await second.run.stop();
      expect(stopped).toMatchObject({ reason: 'stopped', exitCode: 143, sessionId: parked.sessionId });

      const settled = settle(last.ask, ['Red']);
      const third = resume(stopped.sessionId, 'toolu_last', settled);
      expect(await third.run.ended).toMatchObject({
        reason: 'ok',
        text: 'Done.',
        sessionId: parked.sessionId,
      });
      expect(userTexts(await model.request(4))).toContain('Plan the project.');
      expect(userTexts(await model.request(4)).at(-1)).toContain('Q1: Colour?\n\nMy answers:\nRed\n');

      const lost = resume('00000000-0000-4000-8000-000000000000', 'toolu_ask', settled);
      const end = await lost.run.ended;
      expect(end).toMatchObject({ reason: 'session_lost', exitCode: 1 });
      expect(end.message).toContain('no longer has the session 00000000-0000-4000-8000-000000000000');
      expect(lost.events.map(({ kind }) => kind)).toEqual(['session']);
      expect(model.requests).toHaveLength(4);
    },
  );

  it('DRV-5: plain -p has no tool to ask with, which is reported at once with the version', async ({
    skip,
  }) => {
    const { start, model } = await scene(name, skip, [text('Done.')], {}, { mode: 'text' });
    const end = await start('Plan the project.').run.ended;
    expect(end.reason).toBe('cannot_ask');
    expect(end.message).toContain(`claude ${version} does not offer AskUserQuestion`);
    expect(model.strays).toEqual([]);
  });

  // `npm test` has the conformance suite for errors of the API.
  longTest('DRV-5: an API error is reported as one', async ({ skip }) => {
    const { start, model } = await scene(name, skip, () => httpError(400, 'invalid_request_error', 'no'), {
      mustAsk: false,
    });
    const failed = await start('Plan it, “quoted” $HOME\n-p').run.ended;
    expect(failed).toMatchObject({ reason: 'api_error', apiStatus: 400, exitCode: 1 });
    expect(failed.message).toContain(`claude ${version} failed: API Error: 400`);
    expect(userTexts(await model.request(1))).toContain('Plan it, “quoted” $HOME\n-p');
  });

  longTest(
    'DRV-4: in plain text mode a question is found too, and answered with the text of the seed',
    async ({ skip }) => {
      const script = [
        ask('toolu_ask', 'Language?', 'Rust', 'Zig'),
        text('I go on without.'),
        text('Zig it is.'),
      ];
      const { model, start, resume } = await scene(name, skip, script, { mustAsk: false }, { mode: 'text' });
      const first = start('Plan the project.');
      const { ask: asked } = await first.event('question');
      const parked = await first.run.ended;
      expect(parked).toMatchObject({ reason: 'parked', exitCode: 0, text: 'I go on without.' });
      const second = resume(parked.sessionId, 'toolu_ask', settle(asked, ['Zig']));
      expect(await second.run.ended).toMatchObject({ reason: 'ok', text: 'Zig it is.' });
      expect(
        userTexts(await model.request(3))
          .at(-1)
          ?.trim(),
      ).toBe('Here are my answers to your questions:\n\nQ1: Language?\n\nMy answers:\nZig');
    },
  );
});
