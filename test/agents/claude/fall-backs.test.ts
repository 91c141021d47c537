import { describe, expect, it } from 'vitest';
import type { AgentDriver, AgentSetup } from '../../../src/agents/driver.ts';
import { play, settle } from './stand-in.ts';

describe('DRV-4: a question in plain words at the end of a turn', () => {
  it('is asked as such, and answered by the next message in the same process', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      cli.text('I looked around. Should I use Rust or Zig?');
      cli.result({ result: 'I looked around. Should I use Rust or Zig?' });
      const { message } = await cli.take((m) => m.type === 'user');
      cli.say({ type: 'system', subtype: 'init', session_id: 's', tools: ['AskUserQuestion'] });
      cli.result({ result: message.content });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(ask).toMatchObject({
      prose: true,
      questions: [{ text: 'I looked around. Should I use Rust or Zig?' }],
    });
    expect(await run.answer(ask.id, settle(ask, ['Zig']))).toBe(true);
    const { text, reason } = await run.ended;
    expect(reason).toBe('ok');
    expect(text).toContain('My answers:\nZig\n');
  });

  it('is left alone if the run cannot ask', async () => {
    const { run, events } = play(
      async (cli) => {
        await cli.begin();
        cli.result({ result: 'Should I use Rust or Zig?' });
        await cli.finish();
      },
      { mustAsk: false },
    );
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'Should I use Rust or Zig?' });
    expect(events.some(({ kind }) => kind === 'question')).toBe(false);
  });
});

describe('DRV-4: a question that a rule of the agent refused', () => {
  it('is asked anyway, and answered in words', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const tool_input = { questions: [cli.question('Which?')] };
      cli.call('msg_1', 'toolu_1', tool_input);
      cli.echo('toolu_1', true);
      cli.result({
        permission_denials: [{ tool_name: 'AskUserQuestion', tool_use_id: 'toolu_1', tool_input }],
      });
      const { message } = await cli.take((m) => m.type === 'user');
      cli.text('Aha.');
      cli.result({ result: message.content });
      await cli.finish();
    });
    const { ask } = await event('question');
    expect(ask).toMatchObject({ id: 'toolu_1', questions: [{ text: 'Which?' }] });
    expect(await run.answer('toolu_1', settle(ask, ['Zig']))).toBe(true);
    expect((await run.ended).text).toContain('Q1: Which?\n\nMy answers:\nZig\n');
  });
});

describe('DRV-4: the mode `text`', () => {
  const options = { mode: 'text' as const };

  it('passes the prompt unchanged, reports a question once, and ends so that it can be resumed', async () => {
    const { run, event, events } = play(
      async (cli) => {
        cli.say({ type: 'system', subtype: 'init', session_id: 's1', tools: ['AskUserQuestion'] });
        const tool_input = { questions: ['Which language?', 'Which store?'] };
        cli.call('msg_1', 'toolu_1', tool_input);
        cli.echo('toolu_1', true);
        cli.text(cli.argv.join(' '));
        cli.result({
          permission_denials: [{ tool_name: 'AskUserQuestion', tool_use_id: 'toolu_1', tool_input }],
        });
      },
      { options, model: 'opus', instructions: 'Ask; "when" $unsure' },
    );
    const { ask } = await event('question');
    expect(ask.questions).toMatchObject([{ text: 'Which language?' }, { text: 'Which store?' }]);
    expect(await run.ended).toMatchObject({ reason: 'parked', sessionId: 's1', exitCode: 0 });
    expect(events.filter(({ kind }) => kind === 'question')).toHaveLength(1);
    expect(events).toContainEqual({
      kind: 'text',
      text: '-p --verbose --output-format stream-json --permission-mode default --setting-sources user,project,local --model opus --append-system-prompt Ask; "when" $unsure',
    });
    expect(await run.answer('toolu_1', settle(ask, ['Zig']))).toBe(false);
  });

  it('resumes with exactly the text of the seed, through stdin', async () => {
    const questions = [
      { id: 'q1', text: 'Which language?' },
      { id: 'q2', text: 'Which store?' },
    ];
    const settled = settle({ id: 'toolu_1', questions }, ['Rust', 'SQLite']);
    const recipe = { agent: 'claude', sessionId: 's1', toolCallId: 'toolu_1' };
    const { run } = play(
      async (cli) => {
        const text = await cli.input();
        cli.result({ result: `${cli.argv.slice(-2).join(' ')}\n${text}` });
      },
      {
        options,
        start: (driver: AgentDriver, setup: AgentSetup) => driver.resume(setup, recipe, [settled]),
      },
    );
    expect((await run.ended).text).toBe(
      '--resume s1\nHere are my answers to your questions:\n\nQ1: Which language?\nQ2: Which store?\n\nMy answers:\nRust\nSQLite',
    );
  });

  it('DRV-5: is refused at once by an agent that does not offer the tool, with its version', async () => {
    const { run } = play(
      async (cli) => {
        process.on('SIGTERM', () => process.exit(143));
        cli.say({
          type: 'system',
          subtype: 'init',
          session_id: 's',
          claude_code_version: '2.1.197',
          tools: ['Bash'],
        });
        await cli.sleep(60_000);
      },
      { options },
    );
    const end = await run.ended;
    expect(end.reason).toBe('cannot_ask');
    expect(end.message).toMatch(/^claude 2\.1\.197 does not offer AskUserQuestion .* cannot ask anybody\./);
  });
});

describe('DRV-4: the mode `mcp`', () => {
  it('names our server for permissions, gives it a week, and leaves the questions to it', async () => {
    const { run, events } = play(
      async (cli) => {
        const at = (flag: string) => cli.argv[cli.argv.indexOf(flag) + 1];
        cli.say({ type: 'system', subtype: 'init', session_id: 's', tools: ['AskUserQuestion'] });
        cli.call('msg_1', 'toolu_1', { questions: [cli.question('Which?')] });
        cli.echo('toolu_1');
        const env = [process.env.MCP_TOOL_TIMEOUT, process.env.FERMATA_RUN];
        cli.result({
          result: JSON.stringify([at('--permission-prompt-tool'), JSON.parse(at('--mcp-config') ?? ''), env]),
        });
      },
      {
        options: { mode: 'mcp', mcp: () => ({ command: '/opt/fermata', args: ['mcp'] }) },
        identity: { FERMATA_RUN: 'r1' },
      },
    );
    const { text, reason } = await run.ended;
    expect(reason).toBe('ok');
    expect(JSON.parse(text)).toEqual([
      'mcp__fermata__permission',
      {
        mcpServers: {
          fermata: {
            type: 'stdio',
            command: '/opt/fermata',
            args: ['mcp'],
            timeout: 604_800_000,
            alwaysLoad: true,
          },
        },
      },
      ['604800000', 'r1'],
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['session', 'tool', 'usage']);
  });
});
