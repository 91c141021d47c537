import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeDriver } from '../../../src/agents/claude/driver.ts';
import { isRunning } from '../../support/processes.ts';
import { follow, play, settle, standIn } from './stand-in.ts';

describe('STR-6: the kinds of ends of a run are distinguished', () => {
  it('an error of the model is a failure, whatever the subtype says', async () => {
    const { run, events } = play(async (cli) => {
      await cli.begin();
      cli.say({
        type: 'assistant',
        message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 529' }] },
      });
      cli.result({
        is_error: true,
        subtype: 'success',
        api_error_status: 529,
        result: 'API Error: 529 overloaded',
      });
      await cli.finish(1);
    });
    expect(await run.ended).toMatchObject({
      reason: 'api_error',
      apiStatus: 529,
      exitCode: 1,
      message: 'claude 2.1.325 failed: API Error: 529 overloaded',
    });
    expect(events.some(({ kind }) => kind === 'text')).toBe(false);
  });

  it('HEAR-5 a missing login is a refused key, not an outage that passes', async () => {
    const { run } = play(async (cli) => {
      await cli.begin();
      const result = 'Not logged in · Please run /login';
      cli.result({ is_error: true, subtype: 'success', api_error_status: null, result });
      await cli.finish(1);
    });
    expect(await run.ended).toMatchObject({ reason: 'api_error', apiStatus: 401 });
  });

  it('an agent that dies with a question open has crashed, and the answer is for later', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      const asking = cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      cli.text('soon');
      process.stderr.write('heap out of memory\n');
      await asking;
      cli.end(70);
    });
    const { ask } = await event('question');
    await event('text');
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(false);
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'crashed', exitCode: 70, signal: null, text: 'soon' });
    expect(end.message).toBe(
      'claude 2.1.325 ended with exit code 70 before it finished. It said: heap out of memory',
    );
    // What the turn has used so far is known from its messages.
    expect(end.usage).toMatchObject({ inputTokens: 10, outputTokens: 1 });
  });

  it('a kill by somebody else is a crash with its signal', async () => {
    const { run } = play(async (cli) => {
      await cli.begin();
      process.kill(process.pid, 'SIGKILL');
    });
    const end = await run.ended;
    expect(end).toMatchObject({ reason: 'crashed', signal: 'SIGKILL' });
    expect(end.message).toContain('was killed by SIGKILL');
  });

  it('HEAR-5 exit 0 without a result is a crash, also after an earlier turn had one', async () => {
    const first = play(async (cli) => {
      await cli.begin();
      cli.end(0);
    });
    expect(await first.run.ended).toMatchObject({ reason: 'crashed', exitCode: 0 });
    const second = play(async (cli) => {
      await cli.begin();
      cli.result({ result: 'Which one should I take?' });
      await cli.take((m) => m.type === 'user');
      cli.end(0);
    });
    const { ask } = await second.event('question');
    expect(await second.run.answer(ask.id, settle(ask, ['Rust']))).toBe(false);
    expect(await second.run.ended).toMatchObject({ reason: 'crashed', exitCode: 0 });
  });

  it('HEAR-5 exit 0 before the session is named is a run without a result', async () => {
    const { run } = play(async (cli) => cli.end(0));
    expect(await run.ended).toMatchObject({ reason: 'no_result', message: 'claude ended without a result.' });
  });

  it('a missing program and a missing folder are named', async () => {
    const driver = claudeDriver();
    const setup = { cwd: '/', env: { PATH: '/nowhere' }, mustAsk: true };
    const { run } = follow(driver.start(setup, 'x'));
    expect(await run.ended).toMatchObject({
      reason: 'missing',
      message:
        'claude: "claude" was not found on the PATH. Install Claude Code (npm install -g @anthropic-ai/claude-code), or use another agent (--agent codex, or --agent command --agent-command PROGRAM).',
    });
    expect(await driver.probe(setup)).toMatchObject({
      found: false,
      message: expect.stringContaining('not found'),
    });
    const lost = driver.start({ ...setup, cwd: '/no/such', program: process.execPath }, 'x');
    expect(await lost.ended).toMatchObject({
      reason: 'failed',
      message: 'claude cannot start because the folder /no/such does not exist.',
    });
    const none = driver.start({ ...setup, program: './none' }, 'x');
    expect(await none.ended).toMatchObject({
      reason: 'missing',
      message: expect.stringContaining('"./none" is not a program'),
    });
  });

  it('stops an agent that works too long; the clock stops while a person thinks', async () => {
    const { run, event } = play(
      async (cli) => {
        await cli.begin();
        await cli.ask('toolu_1', { questions: [cli.question('Which?')] });
        cli.echo('toolu_1');
        await cli.sleep(60_000);
      },
      { timeoutMs: 2500 },
    );
    const { ask } = await event('question');
    await new Promise((resolve) => setTimeout(resolve, 2800));
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(true);
    expect(await run.ended).toMatchObject({
      reason: 'timed_out',
      message: 'Fermata stopped claude because it worked for more than 2.5 s.',
    });
  });
});

describe('DRV-6: ending a run', () => {
  it('stop ends the group with its input still open, and an open question can be answered later', async () => {
    const { run, event, events, setup } = play(async (cli) => {
      const { spawn } = require('node:child_process');
      const { writeFileSync } = require('node:fs');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      process.on('SIGTERM', () => {
        writeFileSync('saved', '');
        process.exit(143);
      });
      process.stdin.on('end', () => writeFileSync('saw-end', ''));
      await cli.begin();
      void cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      cli.text(String(child.pid));
      await cli.sleep(60_000);
    });
    const { ask } = await event('question');
    const { text } = await event('text');
    const end = await run.stop();
    expect(end).toMatchObject({ reason: 'stopped', exitCode: 143, message: 'claude was stopped.' });
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(false);
    expect(events.some(({ kind }) => kind === 'cancelled')).toBe(false);
    await expect.poll(() => isRunning(text)).toBe(false);
    expect(readdirSync(setup.cwd)).toContain('saved');
    expect(readdirSync(setup.cwd)).not.toContain('saw-end');
    expect(await run.stop()).toBe(end);
  });

  it('interrupt ends the turn, cancels the question, and lets the process end', async () => {
    const { run, event, events } = play(async (cli) => {
      await cli.begin();
      void cli.ask('toolu_1', { questions: [cli.question('Which?')] });
      const interrupt = await cli.take((m) => m.request?.subtype === 'interrupt');
      cli.say({ type: 'control_cancel_request', request_id: 'request-1' });
      cli.say({
        type: 'control_response',
        response: { subtype: 'success', request_id: interrupt.request_id },
      });
      cli.echo('toolu_1', true);
      cli.result({
        subtype: 'error_during_execution',
        is_error: true,
        result: undefined,
        terminal_reason: 'aborted_tools',
      });
      await cli.finish(1);
    });
    const { ask } = await event('question');
    await run.interrupt();
    expect(await run.ended).toMatchObject({
      reason: 'interrupted',
      exitCode: 1,
      message: 'claude 2.1.325 was interrupted.',
    });
    expect(events).toContainEqual({ kind: 'cancelled', askId: 'toolu_1' });
    expect(await run.answer('toolu_1', settle(ask, ['Rust']))).toBe(false);
  });

  it('interrupt between two turns only ends the process', async () => {
    const { run, event } = play(async (cli) => {
      await cli.begin();
      cli.result({ result: 'Which one should I take?' });
      await cli.finish();
    });
    await event('question');
    await run.interrupt();
    expect(await run.ended).toMatchObject({ reason: 'interrupted' });
  });

  it('DRV-5: an agent that cannot ask is refused at once, by name and version', async () => {
    const { run } = play(async (cli) => {
      await cli.begin({ version: '2.0.1', tools: ['Bash'] });
      await cli.sleep(60_000);
    });
    const end = await run.ended;
    expect(end.reason).toBe('cannot_ask');
    expect(end.message).toContain('claude 2.0.1 does not offer AskUserQuestion');
    const lenient = play(
      async (cli) => {
        await cli.begin({ version: '2.0.1', tools: ['Bash'] });
        cli.result();
        await cli.finish();
      },
      { mustAsk: false },
    );
    expect(await lenient.run.ended).toMatchObject({ reason: 'ok' });
  });

  it('the environment has only what Claude needs and what we add', async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: '/h',
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CONFIG_DIR: '/c',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_USE_VERTEX: '1',
      GOOGLE_CLOUD_PROJECT: 'g',
      AWS_SECRET_ACCESS_KEY: 's',
      GITHUB_TOKEN: 't',
    };
    const { run } = play(
      async (cli) => {
        await cli.begin();
        cli.result({ result: Object.keys(process.env).sort().join(' ') });
        await cli.finish();
      },
      { env, identity: { FERMATA_AGENT: 'claude' } },
    );
    expect((await run.ended).text.split(' ')).toEqual([
      'ANTHROPIC_API_KEY',
      'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS',
      'CLAUDE_CODE_USE_VERTEX',
      'CLAUDE_CONFIG_DIR',
      'FERMATA_AGENT',
      'GOOGLE_CLOUD_PROJECT',
      'HOME',
      'PATH',
      'SHLVL',
    ]);
  });
});

describe('DRV-1: the probe', () => {
  it('reports the program and its version, or why it is not found', async () => {
    const { file, dir } = standIn(() => undefined, '2.1.197 (Claude Code)');
    const setup = { cwd: dir, env: { PATH: process.env.PATH }, mustAsk: true };
    const driver = claudeDriver({ program: process.execPath, args: [file] });
    expect(await driver.probe(setup)).toEqual({
      found: true,
      program: process.execPath,
      version: '2.1.197',
      notes: [],
    });
    writeFileSync(join(dir, 'mute.cjs'), 'process.stderr.write("no such flag"); process.exit(3)');
    const mute = await driver.probe({ ...setup, program: process.execPath, args: [join(dir, 'mute.cjs')] });
    expect(mute).toMatchObject({ found: false, message: expect.stringContaining('no such flag') });
  });
});
