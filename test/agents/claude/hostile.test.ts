import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ControlDialogue } from '../../../src/agents/claude/control-dialogue.ts';
import { type Action, PlainDialogue } from '../../../src/agents/claude/dialogue.ts';
import { claudeDriver } from '../../../src/agents/claude/driver.ts';
import { AgentStream } from '../../../src/agents/stream/agent-stream.ts';
import { cases } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { play, settle, standIn } from './stand-in.ts';

describe('STR-1 STR-7: an agent that writes odd things', () => {
  it('is found among garbage, broken lines, wrong shapes and foreign bytes', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      await cli.raw(
        'npm warn something\n{"type":"assistant","message":{"content":[{"type":"tex\n[1,2]\n"text"\n\n',
      );
      await cli.raw('{"type":"control_request"}\n{"type":"control_request","request_id":7,"request":null}\n');
      await cli.raw(
        '{"type":"user","message":{"content":[null,{"type":"tool_result"}]}}\n{"type":"system"}\n',
      );
      await cli.raw(
        '{"type":"assistant","message":{"id":5,"content":{"a":1},"usage":{"input_tokens":"x"}}}\n',
      );
      await cli.raw(
        '{"type":"control_response","response":null}\n{"type":"control_cancel_request"}\r\n{"type":42}\n',
      );
      process.stdout.write(Buffer.from([0xff, 0xfe, 0x80, 10]));
      const odd = await cli.request({ subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: null });
      const { updatedInput } = await cli.ask('toolu_1', {
        questions: [cli.question('Wirklich – ✓?', ['Ja', 'Nein'])],
      });
      cli.echo('toolu_1');
      cli.result({ result: `${odd.behavior} ${updatedInput.answers['Wirklich – ✓?']}` });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(await run.answer('toolu_1', settle(ask, ['Ja']))).toBe(true);
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'ok', text: 'deny Ja' });
    expect(end.skippedLines).toBeGreaterThanOrEqual(5);
  });

  longTest(
    'may write a line of 200 MB without a newline: it is dropped while it comes, and counted',
    async () => {
      const before = process.memoryUsage().rss;
      const { run } = play(async (cli) => {
        await cli.begin();
        const piece = 'x'.repeat(4 * 1024 * 1024);
        for (let n = 0; n < 50; n++) await cli.raw(piece);
        await cli.raw('\n');
        cli.result({ result: 'after it' });
        await cli.finish();
      });
      expect(await run.ended).toMatchObject({ reason: 'ok', text: 'after it', skippedLines: 1 });
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    },
  );

  it('may flood stderr: only its tail is kept', async () => {
    const { run } = play(async (cli) => {
      await cli.begin();
      for (let n = 0; n < 100; n++) {
        await new Promise((done) => process.stderr.write(`${'y'.repeat(1000)}${n}\n`, done));
      }
      cli.result({ result: 'said it' });
      await cli.finish();
    });
    const end = await run.ended;
    expect(end.reason).toBe('ok');
    expect(end.stderrTail.length).toBeLessThanOrEqual(16 * 1024);
    expect(end.stderrTail).toContain('y99\n');
  });

  it('is paused, not buffered, while nobody reads its events', async () => {
    const { file, dir } = standIn(async (cli) => {
      await cli.begin();
      const flood = Array.from({ length: 100 }, () => {
        const content = [{ type: 'text', text: 'z'.repeat(10_000) }];
        return JSON.stringify({ type: 'assistant', message: { id: 'm', content } });
      }).join('\n');
      for (let n = 0; n < 25; n++) await cli.raw(`${flood}\n`);
      cli.result();
      await cli.finish();
    });
    const driver = claudeDriver({ program: process.execPath, args: [file], savesTranscripts: false });
    const setup = { cwd: dir, env: { PATH: process.env.PATH, HOME: dir }, mustAsk: true };
    const run = driver.start(setup, 'Plan the project');
    onTestFinished(async () => {
      await run.stop();
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let texts = 0;
    let ended = false;
    void run.ended.then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    for await (const event of run.events) texts += event.kind === 'text' ? 1 : 0;
    expect(texts).toBe(2500);
    expect(await run.ended).toMatchObject({ reason: 'ok' });
  });

  it('never makes a session throw or write anything but one line, whatever the objects are', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'fermata-initialize', '');
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
    const entry = fc.oneof(odd, fc.record({ question: odd, options: fc.array(odd), multiSelect: odd }));
    const input = fc.oneof(odd, fc.record({ questions: fc.oneof(odd, fc.array(entry, { maxLength: 3 })) }));
    const tool = fc.constantFrom('AskUserQuestion', 'Bash', undefined);
    const hook = fc.record({
      tool_name: tool,
      hook_event_name: fc.constant('PreToolUse'),
      tool_input: input,
      tool_use_id: id,
    });
    const subtype = fc.constantFrom('can_use_tool', 'hook_callback', 'elicitation', 'mcp_message', undefined);
    const request = fc.record({
      subtype,
      tool_name: tool,
      tool_use_id: id,
      input: fc.oneof(input, hook),
      requested_schema: odd,
      message: odd,
    });
    const block = fc.oneof(
      odd,
      fc.record({
        type: fc.constantFrom('text', 'tool_use', 'tool_result'),
        text: odd,
        name: tool,
        id,
        tool_use_id: id,
        is_error: odd,
        input,
      }),
    );
    const message = fc.oneof(
      fc.record({
        type: fc.constant('control_request'),
        request_id: fc.oneof(id, odd),
        request: fc.oneof(request, odd),
      }),
      fc.record({
        type: fc.constantFrom('assistant', 'user'),
        message: fc.record({ id, content: fc.oneof(odd, fc.array(block, { maxLength: 3 })) }),
      }),
      fc.record({
        type: fc.constantFrom('control_response', 'control_cancel_request'),
        request_id: id,
        response: fc.oneof(odd, fc.record({ request_id: id, response: odd })),
      }),
      fc.record({
        type: fc.constant('result'),
        is_error: odd,
        result: fc.oneof(odd, fc.constant('Which one?')),
        permission_denials: odd,
        deferred_tool_use: odd,
      }),
      fc.record({
        type: fc.constant('system'),
        subtype: fc.constant('init'),
        session_id: id,
        tools: odd,
        claude_code_version: odd,
      }),
    );
    const plan = { name: 'claude', setup: { mustAsk: true, parkAfterMs: 10 }, settled: new Map() };
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const sessions = [
          new ControlDialogue({ ...plan, prompt: 'go' }),
          new ControlDialogue(plan),
          new PlainDialogue({ ...plan, text: 'go', asksElsewhere: false }),
        ];
        for (const session of sessions) {
          const actions: Action[] = [];
          let timers: Extract<Action, { do: 'after' }>[] = [];
          const perform = (wanted: Action[]) => {
            actions.push(...wanted);
            timers.push(...wanted.filter((action) => action.do === 'after'));
          };
          perform(session.begin());
          const stream = new AgentStream({
            from: 'claude',
            onEvent: (event) => perform(session.hear(event)),
          });
          for (const each of messages) {
            stream.push(Buffer.from(`${JSON.stringify(each)}\n`));
            const expired = timers;
            timers = [];
            for (const timer of expired) perform(timer.run());
            const settled = settle({ id: 'a', questions: [{ id: 'q1', text: 'Which?' }] }, ['x']);
            if (session.isOpen('a')) perform(session.answer('a', settled));
          }
          for (const action of actions) {
            if (action.do === 'send')
              expect(JSON.parse(JSON.stringify(action.message))).toHaveProperty('type');
          }
        }
      }),
      { numRuns: cases(300) },
    );
  });
});
