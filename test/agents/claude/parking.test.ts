import { describe, expect, it } from 'vitest';
import { play, settle } from './stand-in.ts';

describe('DRV-3: a question that is held', () => {
  it('is answered through the hook when the answer comes in time', async () => {
    const { run, event, heard } = play(
      async (cli) => {
        const { start } = await cli.begin();
        const input = { questions: [cli.question('Which?')] };
        cli.call('msg_ask', 'toolu_1', input);
        const { hookSpecificOutput } = await cli.hook('toolu_1', input);
        cli.echo('toolu_1');
        cli.result({ result: JSON.stringify([start.request.hooks, hookSpecificOutput]) });
        await cli.finish();
      },
      { parkAfterMs: 60_000 },
    );
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, ['Zig']))).toBe(true);
    const { text, reason } = await run.ended;
    const [hooks, output] = JSON.parse(text);
    expect(reason).toBe('ok');
    expect(hooks.PreToolUse).toEqual([
      { matcher: 'AskUserQuestion', hookCallbackIds: ['fermata-ask'], timeout: 3660 },
    ]);
    expect(output).toMatchObject({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { answers: { 'Which?': 'Zig' }, questions: [expect.anything()] },
    });
    expect(heard().filter(({ type }) => type === 'control_response')).toHaveLength(1);
  });

  it('is refused through the permission, so the refusal reaches the agent unchanged', async () => {
    const { run, event } = play(
      async (cli) => {
        await cli.begin();
        const input = { questions: [cli.question('Which?')] };
        cli.call('msg_ask', 'toolu_1', input);
        const hook = await cli.hook('toolu_1', input);
        const { behavior, message } = await cli.ask('toolu_1', input);
        cli.echo('toolu_1', true);
        cli.result({ result: `${JSON.stringify(hook)} ${behavior}: ${message}` });
        await cli.finish();
      },
      { parkAfterMs: 60_000 },
    );
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, [{ dismissed: 'later' }]))).toBe(true);
    expect((await run.ended).text).toBe('{} deny: The person declined to answer: later');
  });

  it('parks the run when nobody answers: the process ends, and an answer is for later', async () => {
    const { run, event, events } = play(
      async (cli) => {
        await cli.begin({ version: '2.1.89' });
        const input = { questions: [cli.question('Which?')] };
        cli.block('msg_ask', { type: 'text', text: 'Let me ask.' });
        cli.call('msg_ask', 'toolu_1', input);
        const { hookSpecificOutput } = await cli.hook('toolu_1', input);
        if (hookSpecificOutput.permissionDecision !== 'defer') cli.end(9);
        const deferred_tool_use = { id: 'toolu_1', name: 'AskUserQuestion', input };
        cli.result({ result: '', stop_reason: 'tool_deferred', deferred_tool_use });
        await cli.finish();
      },
      { parkAfterMs: 50 },
    );
    const { ask } = await event('question');
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'parked', exitCode: 0, text: 'Let me ask.' });
    expect(end.message).toContain('claude 2.1.89 is parked');
    expect(end.sessionId).toMatch(/^1111/);
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(false);
    expect(events.some(({ kind }) => kind === 'cancelled')).toBe(false);
  });

  it.each([
    ['the version is too old for it', '2.1.88', 1],
    ['the message has another call too', '2.1.325', 2],
    ['the version is not told', undefined, 1],
  ])('keeps the process if %s', async (_, version, calls) => {
    const { run, event } = play(
      async (cli) => {
        const [told, count] = JSON.parse(cli.argv[0] ?? '');
        await cli.begin({ version: told });
        const input = { questions: [cli.question('Which?')] };
        cli.call('msg_ask', 'toolu_1', input);
        if (count === 2) cli.block('msg_ask', { type: 'tool_use', id: 'toolu_2', name: 'Read', input: {} });
        const hook = await cli.hook('toolu_1', input);
        const { updatedInput } = await cli.ask('toolu_1', input);
        cli.echo('toolu_1');
        cli.result({ result: `${JSON.stringify(hook)} ${updatedInput.answers['Which?']}` });
        await cli.finish();
      },
      { parkAfterMs: 50, args: [JSON.stringify([version ?? 'none', calls])] },
    );
    const { ask } = await event('question');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await run.answer('toolu_1', settle(ask, ['Late']))).toBe(true);
    expect(await run.ended).toMatchObject({ reason: 'ok', text: '{} Late' });
  });

  it('that comes in the gap between hook and permission is not lost', async () => {
    const { run, event } = play(
      async (cli) => {
        await cli.begin({ version: '2.1.29' });
        const input = { questions: [cli.question('Which?')] };
        await cli.hook('toolu_1', input);
        cli.text('the gap');
        await cli.sleep(200);
        const { updatedInput } = await cli.ask('toolu_1', input);
        cli.echo('toolu_1');
        cli.result({ result: updatedInput.answers['Which?'] });
        await cli.finish();
      },
      { parkAfterMs: 20 },
    );
    const { ask } = await event('question');
    await event('text');
    expect(await run.answer('toolu_1', settle(ask, ['Zig']))).toBe(true);
    expect((await run.ended).text).toBe('Zig');
  });

  it('of a sub-agent is never parked, and is reported with its lineage', async () => {
    const { run, event } = play(
      async (cli) => {
        await cli.begin();
        const input = { questions: [cli.question('Which?')] };
        const call = { type: 'tool_use', id: 'toolu_1', name: 'AskUserQuestion', input };
        cli.block('msg_sub', call, { parent_tool_use_id: 'toolu_task' });
        const hook = await cli.hook('toolu_1', input);
        await cli.ask('toolu_1', input);
        cli.echo('toolu_1');
        cli.result({ result: JSON.stringify(hook) });
        await cli.finish();
      },
      { parkAfterMs: 30 },
    );
    const { ask } = await event('question');
    expect(ask.parent).toBe('toolu_task');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await run.answer('toolu_1', settle(ask, ['Zig']))).toBe(true);
    expect((await run.ended).text).toBe('{}');
  });

  it('in plain words is parked by letting the idle process end', async () => {
    const { run, event } = play(
      async (cli) => {
        await cli.begin();
        cli.text('Which language should I use?');
        cli.result({ result: 'Which language should I use?' });
        await cli.finish();
      },
      { parkAfterMs: 50 },
    );
    const { ask } = await event('question');
    expect(ask).toMatchObject({ prose: true, id: expect.stringMatching(/^prose:msg_/) });
    expect(await run.ended).toMatchObject({ reason: 'parked' });
    expect(await run.answer(ask.id, settle(ask, ['Zig']))).toBe(false);
  });
});
