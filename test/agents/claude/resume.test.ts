import { describe, expect, it } from 'vitest';
import type { AgentDriver, AgentSetup } from '../../../src/agents/driver.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { play, settle } from './stand-in.ts';

const answered = (id: string, answer = 'Rust', text = 'Which?') =>
  settle({ id, questions: [{ id: 'q1', text, options: [{ label: 'Rust' }, { label: 'Zig' }] }] }, [answer]);

const resume = (...settled: Notification[]) => ({
  start: (driver: AgentDriver, setup: AgentSetup) =>
    driver.resume(
      setup,
      {
        agent: 'claude',
        sessionId: 'session-1',
        toolCallId: settled.at(-1)?.resume?.toolCallId,
        cwd: setup.cwd,
      },
      settled,
    ),
});

describe('DRV-3: a resumed session', () => {
  it('puts its question again and gets the answer under the same call, even before it says it is ready', async () => {
    const { run, events, heard } = play(
      async (cli) => {
        const start = await cli.take((m) => m.type === 'control_request');
        const input = { questions: [cli.question('Which?')] };
        const { updatedInput } = await cli.ask('toolu_1', input);
        const response = { subtype: 'success', request_id: start.request_id, response: {} };
        cli.say({ type: 'control_response', response });
        cli.echo('toolu_1');
        cli.say({ type: 'system', subtype: 'init', session_id: 'session-1', tools: ['AskUserQuestion'] });
        cli.result({ result: `${cli.argv.slice(-2).join(' ')} ${updatedInput.answers['Which?']}` });
        await cli.finish();
      },
      resume(answered('toolu_1')),
    );
    expect(await run.answer('toolu_1', answered('toolu_1'))).toBe(true);
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'ok', text: '--resume session-1 Rust', sessionId: 'session-1' });
    // The cost of a resumed session includes what the previous run already reported.
    expect(end.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 3,
      cacheCreationTokens: 0,
    });
    expect(events.some(({ kind }) => kind === 'question')).toBe(false);
    expect(heard().some(({ type }) => type === 'user')).toBe(false);
  });

  it('gets the answer through the hook if that comes first, and asks what is new', async () => {
    const { run, event, events } = play(
      async (cli) => {
        const start = await cli.take((m) => m.type === 'control_request');
        const response = {
          subtype: 'success',
          request_id: start.request_id,
          response: { session_state: 'running' },
        };
        cli.say({ type: 'control_response', response });
        await cli.sleep(50);
        const input = { questions: [cli.question('Which?')] };
        const first = await cli.hook('toolu_1', input);
        cli.echo('toolu_1');
        const more = { questions: [cli.question('And?')] };
        cli.call('msg_2', 'toolu_2', more);
        const second = await cli.hook('toolu_2', more);
        cli.echo('toolu_2');
        const answers = [first, second].map((each) => each.hookSpecificOutput.updatedInput.answers);
        cli.result({ result: JSON.stringify(answers) });
        await cli.finish();
      },
      { ...resume(answered('toolu_1')), parkAfterMs: 60_000 },
    );
    const { ask } = await event('question');
    expect(ask.id).toBe('toolu_2');
    expect(await run.answer('toolu_2', settle(ask, ['Zig']))).toBe(true);
    expect(JSON.parse((await run.ended).text)).toEqual([{ 'Which?': 'Rust' }, { 'And?': 'Zig' }]);
    expect(events.filter(({ kind }) => kind === 'question')).toHaveLength(1);
  });

  it.each([
    ['says that it is idle', 'idle'],
    ['says nothing for a while', undefined],
  ])('that %s gets question and answer in words', async (_, state) => {
    const { run } = play(
      async (cli) => {
        const start = await cli.take((m) => m.type === 'control_request');
        const told = cli.argv[0] === 'none' ? {} : { session_state: cli.argv[0] };
        cli.say({
          type: 'control_response',
          response: { subtype: 'success', request_id: start.request_id, response: told },
        });
        const user = await cli.take((m) => m.type === 'user');
        cli.say({ type: 'system', subtype: 'init', session_id: 'session-1', tools: ['AskUserQuestion'] });
        cli.result({ result: user.message.content });
        await cli.finish();
      },
      {
        args: [state ?? 'none'],
        ...resume(answered('toolu_1'), answered('toolu_2', 'Zig', 'And which?')),
      },
    );
    expect(await run.answer('toolu_2', answered('toolu_2', 'Zig', 'And which?'))).toBe(true);
    expect((await run.ended).text).toBe(
      'Here are my answers to your questions:\n\nQ1: Which?\n\nMy answers:\nRust\n\nHere are my answers to your questions:\n\nQ1: And which?\n\nMy answers:\nZig\n',
    );
  });

  it('that puts its question again after all, late, gets the answer and asks nobody', async () => {
    const { run, events } = play(
      async (cli) => {
        const start = await cli.take((m) => m.type === 'control_request');
        cli.say({
          type: 'control_response',
          response: { subtype: 'error', request_id: start.request_id, error: 'no' },
        });
        const user = await cli.take((m) => m.type === 'user');
        const { updatedInput } = await cli.ask('toolu_1', { questions: [cli.question('Which?')] });
        cli.echo('toolu_1');
        cli.result({
          result: `${updatedInput.answers['Which?']} ${user.message.content.includes('Q1: Which?')}`,
        });
        await cli.finish();
      },
      resume(answered('toolu_1')),
    );
    expect((await run.ended).text).toBe('Rust true');
    expect(events.some(({ kind }) => kind === 'question')).toBe(false);
  });

  it('that repeats one of two questions gets the answer to the other as text, after that turn', async () => {
    const { run } = play(
      async (cli) => {
        await cli.take((m) => m.type === 'control_request');
        const { updatedInput } = await cli.ask('toolu_2', { questions: [cli.question('And which?')] });
        cli.echo('toolu_2');
        cli.result({ result: 'One is missing.' });
        const user = await cli.take((m) => m.type === 'user');
        cli.text('Now I have both.');
        cli.result({
          result: `${updatedInput.answers['And which?']} ${user.message.content.split('\n').at(-2)}`,
        });
        await cli.finish();
      },
      resume(answered('toolu_1'), answered('toolu_2', 'Zig', 'And which?')),
    );
    expect(await Promise.all(['toolu_1', 'toolu_2'].map((id) => run.answer(id, answered(id))))).toEqual([
      true,
      true,
    ]);
    expect((await run.ended).text).toBe('Zig Rust');
  });

  it('gets the answers to its plain-text questions at once, and the reason if one has no answer', async () => {
    const prose = answered('prose:msg_1', 'Zig', 'Which one?');
    const withdrawn = settle({ id: 'prose:msg_2', questions: [{ id: 'q1', text: 'Why?' }] }, [], {
      status: 'withdrawn',
      outcome: 'withdrawn',
    });
    const { run } = play(
      async (cli) => {
        const { user } = await cli.begin();
        cli.result({ result: user.message.content });
        await cli.finish();
      },
      resume(prose, withdrawn),
    );
    expect((await run.ended).text).toContain(
      'My answers:\nZig\n\nYou asked: Why?\nThe question was withdrawn. Continue without an answer.\n',
    );
  });

  it('that no longer exists fails with a clear message, and nothing counts as delivered', async () => {
    const { run, events } = play(
      async (cli) => {
        cli.result({
          subtype: 'error_during_execution',
          is_error: true,
          result: undefined,
          usage: { input_tokens: 0, output_tokens: 0 },
          errors: ['No conversation found with session ID: session-1'],
        });
        cli.end(1);
      },
      resume(answered('toolu_1')),
    );
    expect(await run.answer('toolu_1', answered('toolu_1'))).toBe(false);
    expect(await run.ended).toMatchObject({
      reason: 'session_lost',
      exitCode: 1,
      message: 'claude no longer has the session session-1, so it has to start over.',
    });
    expect(events.map(({ kind }) => kind)).toEqual(['session']);
  });

  it('is refused without a session id', async () => {
    const start = (driver: AgentDriver, setup: AgentSetup) => driver.resume(setup, { agent: 'claude' }, []);
    const { run } = play(() => undefined, { start });
    expect(await run.ended).toMatchObject({
      reason: 'failed',
      message: 'claude has no session to resume.',
    });
    expect(await run.answer('x', answered('x'))).toBe(false);
  });
});
