import { describe, expect, it } from 'vitest';
import { play, settle } from './stand-in.ts';

describe('DRV-2: a question of the agent', () => {
  it('is reported after its session, and its answer goes back to the same process', async () => {
    const { run, events, event, heard } = play(async (cli) => {
      const { start, user } = await cli.begin();
      cli.text(`hooks: ${JSON.stringify(start.request.hooks)}, ${user.message.content}`);
      const input = { questions: [cli.question('Which language?')] };
      cli.call('msg_ask', 'toolu_1', input);
      const { behavior, updatedInput } = await cli.ask('toolu_1', input);
      cli.echo('toolu_1');
      cli.text(`${behavior} ${JSON.stringify(updatedInput)}`);
      cli.result({ result: 'Rust it is.' });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(ask).toEqual({
      id: 'toolu_1',
      questions: [
        expect.objectContaining({ text: 'Which language?', header: 'Choice', options: expect.anything() }),
      ],
    });
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(true);
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'ok', text: 'Rust it is.', exitCode: 0, signal: null });
    expect(end.message).toBe('claude 2.1.325 has finished.');
    expect(end.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 3,
      cacheCreationTokens: 0,
      costUsd: 0.5,
    });
    expect(events.map(({ kind }) => kind)).toEqual(['session', 'text', 'question', 'text', 'usage']);
    expect(events[1]).toEqual({ kind: 'text', text: 'hooks: undefined, Plan the project' });
    const given = JSON.parse(String((events[3] as { text: string }).text).slice('allow '.length));
    expect(given.answers).toEqual({ 'Which language?': 'Rust' });
    expect(given.questions).toHaveLength(1);
    expect(heard().map(({ type }) => type)).toEqual(['control_request', 'user', 'control_response']);
  });

  it('may be one of several that are open at once, answered in any order', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const given: string[] = [];
      const one = async (id: string, text: string) => {
        const input = { questions: [cli.question(text)] };
        cli.call('msg_ask', id, input);
        const { updatedInput } = await cli.ask(id, input);
        given.push(`${id} ${updatedInput.answers[text]}`);
        cli.echo(id);
      };
      await Promise.all([one('toolu_1', 'One?'), one('toolu_2', 'Two?'), one('toolu_3', 'Three?')]);
      cli.result({ result: given.join(', ') });
      await cli.finish();
    });
    const asks = await Promise.all(
      ['toolu_1', 'toolu_2', 'toolu_3'].map((id) => event('question', ({ ask }) => ask.id === id)),
    );
    for (const [index, answer] of [
      [2, 'C'],
      [0, 'A'],
      [1, 'B'],
    ] as const) {
      const ask = asks[index]?.ask ?? { id: '', questions: [] };
      expect(await run.answer(ask.id, settle(ask, [answer]))).toBe(true);
    }
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'toolu_3 C, toolu_1 A, toolu_2 B' });
  });

  it('takes several picks, free text and a note, even if a text is asked twice or has 40 options', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const many = Array.from({ length: 40 }, (_, n) => `Option ${n}`);
      const questions = [
        cli.question('Which features?', ['Logging', 'Tracing, full', 'Metrics'], true),
        cli.question('Which language?'),
        cli.question('Which?', many),
        cli.question('Which?', []),
      ];
      const { updatedInput } = await cli.ask('toolu_1', { questions });
      cli.echo('toolu_1');
      cli.result({ result: JSON.stringify(updatedInput) });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(ask.questions).toHaveLength(4);
    const answers = [
      ['Logging', 'Tracing, full'],
      { answer: 'Ada', note: 'the 2022 one' },
      'Option 39',
      'none',
    ];
    expect(await run.answer('toolu_1', settle(ask, answers))).toBe(true);
    const { text } = await run.ended;
    const given = JSON.parse(text);
    const asked = given.questions.map((each: { question: string }) => each.question);
    expect(new Set(asked).size).toBe(4);
    expect(asked.map((key: string) => given.answers[key])).toEqual([
      'Logging, "Tracing, full"',
      'Ada',
      'Option 39',
      'none',
    ]);
    expect(given.annotations).toEqual({ 'Which language?': { notes: 'the 2022 one' } });
  });

  it.each([
    ['skipped', { skipped: true as const }, 'The person skipped this question. Use your best judgement.'],
    ['declined', { dismissed: 'not now' }, 'The person declined to answer: not now'],
  ])('that was %s is refused with a clear reason', async (_, given, sentence) => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const input = { questions: [cli.question('Which?')] };
      const { behavior, message } = await cli.ask('toolu_1', input);
      cli.echo('toolu_1', true);
      // The refusal is listed, as in the real program; it is not a new question.
      const permission_denials = [
        { tool_name: 'AskUserQuestion', tool_use_id: 'toolu_1', tool_input: input },
      ];
      cli.result({ result: `${behavior}: ${message}`, permission_denials });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, [given]))).toBe(true);
    expect(await run.ended).toMatchObject({ reason: 'ok', text: `deny: ${sentence}` });
  });

  it('that was withdrawn is refused with the reason; one of two that was skipped is answered with words', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const first = await cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      cli.echo('toolu_1', true);
      const second = await cli.ask('toolu_2', { questions: [cli.question('A?'), cli.question('B?')] });
      cli.echo('toolu_2');
      cli.result({ result: `${first.message} ${JSON.stringify(second.updatedInput.answers)}` });
      await cli.finish();
    });
    const { ask } = await event('question');
    const withdrawn = settle(ask, [], { status: 'withdrawn', outcome: 'withdrawn', reason: 'obsolete' });
    expect(await run.answer('toolu_1', withdrawn)).toBe(true);
    const second = await event('question', ({ ask: { id } }) => id === 'toolu_2');
    expect(await run.answer('toolu_2', settle(second.ask, ['Rust', { skipped: true }]))).toBe(true);
    const { text } = await run.ended;
    expect(text).toBe(
      'The question was withdrawn: obsolete. Continue without an answer. {"A?":"Rust","B?":"The person skipped this question. Use your best judgement."}',
    );
  });

  it('is answered once: a second answer ends like the first, and an answer to no question does nothing', async () => {
    const { run, event, heard } = play(async (cli) => {
      await cli.begin();
      await cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      cli.echo('toolu_1');
      cli.result();
      await cli.finish();
    });
    const { ask } = await event('question');
    const [first, second, unknown] = await Promise.all([
      run.answer('toolu_1', settle(ask, ['Rust'])),
      run.answer('toolu_1', settle(ask, ['Zig'])),
      run.answer('toolu_9', settle(ask, ['Zig'])),
    ]);
    expect([first, second, unknown]).toEqual([true, true, false]);
    await run.ended;
    expect(await run.answer('toolu_8', settle(ask, ['Zig']))).toBe(false);
    const responses = heard().filter(({ type }) => type === 'control_response');
    expect(responses).toHaveLength(1);
    expect(responses[0].response.response.updatedInput.answers).toEqual({ 'Which?': 'Rust' });
  });

  it('counts as answered without an echo, once the agent continues', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin({ version: '2.1.29' });
      const input = { questions: [cli.question('Which?')] };
      cli.call('msg_ask', 'toolu_1', input);
      await cli.ask('toolu_1', input);
      cli.block('msg_ask', { type: 'text', text: 'of the same message' });
      cli.text('Thank you.');
      cli.result();
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(true);
  });

  it('whose answer the agent could not take is answered in words, in the same process', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      await cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      cli.echo('toolu_1', true);
      cli.result({ result: 'I could not read that. Which one?' });
      const user = await cli.take((m) => m.type === 'user');
      cli.say({ type: 'system', subtype: 'init', session_id: 's', tools: ['AskUserQuestion'] });
      cli.result({ result: user.message.content });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(true);
    const { text, usage, reason } = await run.ended;
    expect(reason).toBe('ok');
    expect(text).toBe('Here are my answers to your questions:\n\nQ1: Which?\n\nMy answers:\nRust\n');
    // Tokens are per turn, the cost is per process.
    expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 40, costUsd: 0.5 });
  });

  it('that is cancelled is reported, and a late answer to it does not count', async () => {
    const { run, events, event } = play(async (cli) => {
      await cli.begin();
      const asking = cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      await cli.sleep(20);
      cli.say({ type: 'control_cancel_request', request_id: 'request-1' });
      await Promise.race([asking, cli.sleep(300)]);
      cli.result();
      await cli.finish();
    });
    const { ask } = await event('question');
    await event('cancelled', ({ askId }) => askId === 'toolu_1');
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(false);
    expect(await run.ended).toMatchObject({ reason: 'ok' });
    expect(events.filter(({ kind }) => kind === 'cancelled')).toHaveLength(1);
  });

  it('that nobody can be asked is refused with the reason, and the agent continues', async () => {
    const { run, events } = play(async (cli) => {
      await cli.begin();
      const options = Array.from({ length: 101 }, (_, n) => `Option ${n}`);
      const many = await cli.ask('toolu_1', { questions: [cli.question('Which?', options)] });
      const none = await cli.ask('toolu_2', { questions: [] });
      const odd = await cli.ask('toolu_3', { questions: 'what' });
      cli.result({
        result: [many, none, odd].map(({ behavior, message }) => `${behavior}: ${message}`).join('|'),
      });
      await cli.finish();
    });
    const { text } = await run.ended;
    expect(events.some(({ kind }) => kind === 'question')).toBe(false);
    const [many, none, odd] = text.split('|');
    expect(many).toBe('deny: Question 1 has 101 options; at most 100 are allowed.');
    expect(none).toBe('deny: None of its questions has any text.');
    expect(odd).toContain('deny: AskUserQuestion');
  });

  it('of an MCP server’s form is asked and filled in like any other', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const requested_schema = {
        type: 'object',
        properties: { language: { type: 'string', title: 'Language', enum: ['Rust', 'Zig'] } },
        required: ['language'],
      };
      const filled = await cli.request({
        subtype: 'elicitation',
        mode: 'form',
        message: 'Which?',
        requested_schema,
      });
      const other = await cli.request({ subtype: 'mcp_message', server_name: 'x' });
      cli.text('on');
      cli.result({ result: `${JSON.stringify(filled)} ${other.subtype}` });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(await run.answer(ask.id, settle(ask, ['Zig']))).toBe(true);
    expect((await run.ended).text).toBe('{"action":"accept","content":{"language":"Zig"}} error');
  });
});

describe('DRV-1: a tool that needs permission', () => {
  it('is reported, and allowed with its input or refused with a message', async () => {
    const { run, event, events } = play(async (cli) => {
      await cli.begin();
      const bash = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };
      cli.block('msg_1', { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: bash.input });
      const yes = await cli.request({ ...bash, tool_use_id: 'toolu_1' });
      const no = await cli.request({ ...bash, tool_use_id: 'toolu_2' });
      cli.result({ result: JSON.stringify([yes, no]) });
      await cli.finish();
    });
    expect(await event('permission')).toEqual({
      kind: 'permission',
      id: 'toolu_1',
      tool: 'Bash',
      input: { command: 'ls' },
    });
    expect(await run.permit('toolu_1', true)).toBe(true);
    expect(await run.permit('toolu_1', true)).toBe(false);
    await event('permission', ({ id }) => id === 'toolu_2');
    expect(await run.permit('toolu_2', false, { note: 'not here' })).toBe(true);
    expect(JSON.parse((await run.ended).text)).toEqual([
      { behavior: 'allow', updatedInput: { command: 'ls' } },
      { behavior: 'deny', message: 'not here' },
    ]);
    expect(await run.permit('toolu_2', true)).toBe(false);
    expect(events).toContainEqual({ kind: 'tool', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } });
  });
});
