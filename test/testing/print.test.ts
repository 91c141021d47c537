import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { longTest } from '../support/long-test.ts';
import { built, CONTROL, freshFolder, type Message, PRINT, toolResult, Wire } from './wire.ts';

const QUESTION = 'Which language?';
const asking = () => new ScenarioBuilder().asksQuestions([QUESTION]).respondsWithText('It is {{answer:Q1}}.');

describe('FAKE-1 plain -p', () => {
  test('prints the last text, or one result as JSON', async () => {
    const handle = built(
      new ScenarioBuilder().forEachSession().respondsWithText('a').respondsWithText('You said: {{prompt}}'),
    );
    const plain = new Wire(handle, ['-p', 'hello']);
    expect(await plain.ended).toEqual({ code: 0, signal: null, stdout: 'You said: hello\n', stderr: '' });
    const json = new Wire(handle, ['-p', '--output-format', 'json', '--', '--odd prompt']);
    expect(JSON.parse((await json.ended).stdout)).toMatchObject({
      type: 'result',
      result: 'You said: --odd prompt',
    });
  });

  test('takes the prompt from stdin if the command line has none', async () => {
    const wire = new Wire(built(new ScenarioBuilder().respondsWithText('{{prompt}}')), ['-p']).write(
      'from stdin\n',
    );
    expect(await wire.close()).toMatchObject({ code: 0, stdout: 'from stdin\n' });
  });

  test.each([
    [['-p', '--output-format', 'stream-json', 'x'], 'requires --verbose'],
    [['-p', '--frobnicate', 'x'], "error: unknown option '--frobnicate'"],
    [['-p', '--output-format', 'xml', 'x'], 'Allowed choices are text, json, stream-json.'],
    [['-p', '--input-format', 'stream-json'], 'requires output-format=stream-json'],
    [['x'], 'no interactive mode'],
    [['-p', '--permission-prompt-tool', 'mcp__a__b', 'x'], 'only over stdio'],
  ])('%j is refused with exit code 1, as by the real program', async (args, sentence) => {
    const wire = new Wire(built(asking()), args);
    expect(await wire.close()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(sentence),
    });
  });

  test('options of the real program that have no effect here are accepted with their values', async () => {
    const handle = built(new ScenarioBuilder().respondsWithText('{{prompt}}'));
    const options = [
      '--append-system-prompt',
      'Ask.',
      '--allowedTools=Bash',
      '--mcp-config',
      '{}',
      '--model',
      'opus',
    ];
    const wire = new Wire(handle, [...PRINT, ...options, 'the prompt']);
    await wire.ended;
    expect(wire.messages[0]).toMatchObject({ subtype: 'init', model: 'opus' });
    expect(wire.messages.at(-1)).toMatchObject({ result: 'the prompt' });
  });

  test('says its version, with and without a scenario', async () => {
    const handle = built(asking().behavesLike('2.1.197'));
    const stated = built(asking().saysVersion('9.9.9'));
    expect((await new Wire(handle, ['--version']).ended).stdout).toMatch(/^2\.1\.197 /);
    expect((await new Wire(stated, ['--version']).ended).stdout).toMatch(/^9\.9\.9 /);
    const none = new Wire(handle, ['--version'], { env: { FAKE_CLAUDE_CONFIG: undefined } });
    expect((await none.ended).stdout).toMatch(/^2\.1\.325 /);
  });

  test('without a scenario it says how to name one', async () => {
    const wire = new Wire(built(asking()), ['-p', 'x'], { env: { FAKE_CLAUDE_CONFIG: undefined } });
    expect(await wire.ended).toMatchObject({
      code: 1,
      stderr:
        'No scenario given. Set FAKE_CLAUDE_CONFIG to a scenario file, or start this program with --scenario FILE.\n',
    });
  });

  test('--scenario overrides FAKE_CLAUDE_CONFIG', async () => {
    const other = built(new ScenarioBuilder().respondsWithText('other'));
    const wire = new Wire(built(asking()), ['-p', '--scenario', other.file, 'x']);
    expect((await wire.ended).stdout).toBe('other\n');
  });

  test.each([
    ['2.1.325', 'No such tool available: AskUserQuestion', false, 0],
    ['2.1.197', 'No such tool available: AskUserQuestion', false, 0],
    ['2.1.29', 'Answer questions?', true, 1],
  ] as const)('a question in %s is not asked: "%s"', async (version, said, offered, denials) => {
    const handle = built(asking().behavesLike(version));
    const wire = new Wire(handle, [...PRINT, 'go']);
    expect(await wire.ended).toMatchObject({ code: 0 });
    const [init] = wire.messages;
    expect(init?.tools.includes('AskUserQuestion')).toBe(offered);
    expect(toolResult(wire.messages.find(({ type }) => type === 'user') as Message)).toContain(said);
    expect(wire.messages.at(-1)?.permission_denials).toHaveLength(denials);
    expect(handle.answers()).toEqual([]);
  });

  test('a question ends the run of the seed, which is resumed with the answers as text', async () => {
    const handle = built(asking().behavesLike('seed').withSessionId('s-1'));
    const cwd = freshFolder();
    const first = new Wire(handle, [...PRINT, 'go'], { cwd });
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(first.messages[1]).toMatchObject({
      message: {
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', name: 'AskUserQuestion', input: { questions: [QUESTION] } }],
      },
    });
    expect(first.names.at(-1)).toBe('result/success');
    const text = `Here are my answers to your questions:\n\nQ1: ${QUESTION}\n\nMy answers:\nRust.\nThe latest.\n`;
    const second = new Wire(handle, [...PRINT, '--resume', 's-1', text], { cwd });
    await second.ended;
    expect(second.messages.at(-1)).toMatchObject({ result: 'It is Rust.\nThe latest..', session_id: 's-1' });
    expect(handle.answers()).toMatchObject([
      { question: QUESTION, answer: 'Rust.\nThe latest.', how: 'text' },
    ]);
  });

  test('a version without the tool does not offer it on the control channel either', async () => {
    const wire = new Wire(built(asking().cannotAsk())).begin();
    expect((await wire.until('system/init')).tools).not.toContain('AskUserQuestion');
    expect(toolResult(await wire.until('user/tool_result'))).toContain('No such tool available');
  });
});

describe('FAKE-1 sessions', () => {
  test('an unknown session is an error with a result; a used id is refused', async () => {
    const handle = built(asking());
    const unknown = new Wire(handle, [...PRINT, '--resume', 'nope', 'x']);
    expect(await unknown.ended).toMatchObject({
      code: 1,
      stderr: 'No conversation found with session ID: nope\n',
    });
    expect(unknown.messages).toMatchObject([
      { subtype: 'error_during_execution', errors: ['No conversation found with session ID: nope'] },
    ]);
    const id = 'd1a0c1d2-0000-4000-8000-000000000000';
    const first = new Wire(handle, [...PRINT, '--session-id', id, 'x']);
    await first.ended;
    expect(first.messages[0]).toMatchObject({ session_id: id });
    const again = new Wire(handle, [...PRINT, '--session-id', id, 'x']);
    expect(await again.ended).toMatchObject({
      code: 1,
      stderr: `Error: Session ID ${id} is already in use.\n`,
    });
  });

  test.each([
    ['2.1.197', 1],
    ['2.1.325', 0],
  ] as const)('%s resumes from another folder with exit code %i', async (version, code) => {
    const handle = built(
      new ScenarioBuilder()
        .behavesLike(version)
        .withSessionId('s')
        .respondsWithText('1')
        .nextInvocation()
        .respondsWithText('2'),
    );
    await new Wire(handle, [...PRINT, 'x']).ended;
    expect(await new Wire(handle, [...PRINT, '--resume', 's', 'x']).ended).toMatchObject({ code });
  });

  test.each(['2.1.197', '2.1.325'] as const)(
    'killed with a question open, %s does not ask again but continues with the text that restates it',
    async (version) => {
      const handle = built(asking().behavesLike(version).withSessionId('killed'));
      const wire = new Wire(handle).begin();
      const ask = await wire.until('control_request/can_use_tool');
      wire.child.kill('SIGKILL');
      await wire.ended;
      const again = new Wire(handle, [...CONTROL, '--resume', 'killed'], { cwd: wire.cwd }).initialize();
      await again.until('control_response/success');
      again.say(`Here are my answers to your questions:\n\nQ1: ${QUESTION}\n\nMy answers:\nRust\n`);
      expect(await again.until('result/success')).toMatchObject({ result: 'It is Rust.' });
      await again.close();
      expect(again.names).not.toContain('control_request/can_use_tool');
      const { tool_use_id: toolUseId } = ask.request;
      expect(handle.answers()).toMatchObject([{ toolUseId, answer: 'Rust', how: 'text' }]);
      expect(handle.invocations()).toMatchObject([
        { continued: false },
        { continued: true, resumed: 'killed' },
      ]);
      expect(handle.transcript('killed')).toContainEqual({
        type: 'lost',
        toolUseId,
        kept: version === '2.1.325',
      });
    },
  );

  test('killed with a question open and resumed without an answer, it asks again', async () => {
    const handle = built(asking().withSessionId('killed'));
    const wire = new Wire(handle).begin();
    await wire.until('control_request/can_use_tool');
    wire.child.kill('SIGKILL');
    await wire.ended;
    const again = new Wire(handle, [...CONTROL, '--resume', 'killed'], { cwd: wire.cwd }).initialize();
    await again.until('control_response/success');
    again.say('Go on.');
    await again.until('control_request/can_use_tool');
    await again.close();
  });

  test('a fork continues under its own id', async () => {
    const handle = built(
      asking().behavesLike('seed').withSessionId('s').nextInvocation().respondsWithText('2'),
    );
    const cwd = freshFolder();
    await new Wire(handle, [...PRINT, 'x'], { cwd }).ended;
    const fork = new Wire(handle, [...PRINT, '--resume', 's', '--fork-session', `${QUESTION} Rust`], { cwd });
    await fork.ended;
    const { session_id: id, result } = fork.messages.at(-1) as Message;
    expect(id).not.toBe('s');
    expect(result).toBe(`It is ${QUESTION} Rust.`);
  });

  test('a session that was not flushed is lost to a kill', async () => {
    const handle = built(asking().flushesAfter(60_000).withSessionId('young'));
    const wire = new Wire(handle).begin();
    await wire.until('control_request/can_use_tool');
    wire.child.kill('SIGKILL');
    await wire.ended;
    const again = new Wire(handle, [...PRINT, '--resume', 'young', 'x'], { cwd: wire.cwd });
    expect(await again.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No conversation found'),
    });
  });

  longTest('each of many processes at once takes its own invocation', async () => {
    const builder = new ScenarioBuilder().respondsWithText('0');
    for (let i = 1; i < 8; i++) builder.nextInvocation().respondsWithText(String(i));
    const handle = built(builder);
    const cwd = freshFolder();
    const wires = Array.from({ length: 8 }, () => new Wire(handle, ['-p', 'go'], { cwd }));
    const said = await Promise.all(wires.map(async ({ ended }) => Number((await ended).stdout)));
    expect(said.sort((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, i) => i));
    expect(handle.invocations()).toHaveLength(8);
  });
});

describe('FAKE-1 real tools stay in the folder', () => {
  test.each([['../out'], ['/tmp/fermata-scripted-out'], ['link/out'], ['.']])(
    '%s is not written',
    async (path) => {
      const cwd = freshFolder();
      const outside = freshFolder();
      symlinkSync(outside, join(cwd, 'link'));
      const wire = new Wire(built(new ScenarioBuilder().writesFile(path, 'x')), [...PRINT, 'go'], { cwd });
      await wire.ended;
      const said = wire.messages.find(({ type }) => type === 'user') as Message;
      expect(toolResult(said)).toContain(`${path} is outside ${cwd}`);
      expect(said.message.content[0].is_error).toBe(true);
    },
  );

  test('writes, edits and runs there; the model gets the errors', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'deep'));
    writeFileSync(join(cwd, 'deep/old.txt'), 'a $& b');
    const handle = built(
      new ScenarioBuilder()
        .editsFile('deep/old.txt', '$&', "$'")
        .editsFile('deep/old.txt', 'not there', 'x')
        .editsFile('nowhere.txt', 'a', 'b')
        .runs('echo out; echo err >&2; exit 3')
        .runs('true'),
    );
    const wire = new Wire(handle, [...PRINT, 'go'], { cwd });
    await wire.ended;
    const told = wire.messages.filter(({ type }) => type === 'user').map(toolResult);
    expect(told).toEqual([
      expect.stringContaining('has been updated'),
      expect.stringContaining('String to replace not found'),
      expect.stringContaining('ENOENT'),
      'Exit code 3\nout\n\nerr',
      '(Bash completed with no output)',
    ]);
    expect(readFileSync(join(cwd, 'deep/old.txt'), 'utf8')).toBe("a $' b");
  });
});
