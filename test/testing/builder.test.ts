import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { calculator, interactivePlanning, multiRoundQa, ScenarioBuilder } from '../../src/testing/builder.ts';
import { loadScenario } from '../../src/testing/load-scenario.ts';
import { built, freshFolder, PRINT, Wire } from './wire.ts';

const answersTo = (...questions: string[]) =>
  `Here are my answers to your questions:\n\n${questions.map((question, i) => `Q${i + 1}: ${question}\n`).join('')}\nMy answers:\n`;

describe('FAKE-2 ScenarioBuilder', () => {
  test('writes a readable scenario, and removes only what it created', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'mine'), '');
    const handle = new ScenarioBuilder()
      .withSessionId('s')
      .thinks('…')
      .delays(5)
      .respondsWithText('hi')
      .build(folder);
    expect(loadScenario(handle.file, '/').invocations).toEqual([
      {
        sessionId: 's',
        steps: [
          { do: 'think', text: '…' },
          { do: 'wait', ms: 5 },
          { do: 'say', text: 'hi' },
        ],
      },
    ]);
    expect(handle.env).toEqual({ FAKE_CLAUDE_CONFIG: join(folder, 'scenario.json') });
    handle.remove();
    expect(existsSync(handle.file)).toBe(false);
    expect(existsSync(join(folder, 'mine'))).toBe(true);
    const alone = new ScenarioBuilder().respondsWithText('hi').build();
    alone.remove();
    expect(existsSync(join(alone.file, '..'))).toBe(false);
  });

  test('two scenarios keep separate counters, and so do two builds of one', async () => {
    const builder = new ScenarioBuilder()
      .respondsWithText('first')
      .nextInvocation()
      .respondsWithText('second');
    const [one, other] = [built(builder), built(builder)];
    const say = async (handle: typeof one) => (await new Wire(handle, ['-p', 'x']).ended).stdout;
    expect(await say(one)).toBe('first\n');
    expect(await say(other)).toBe('first\n');
    expect(await say(one)).toBe('second\n');
  });

  test('FAKE-1 plays the phase’s scenario from a folder, or else the default one', async () => {
    const folder = freshFolder();
    const says = (text: string) => JSON.stringify({ invocations: [{ steps: [{ do: 'say', text }] }] });
    writeFileSync(join(folder, '2-A.json'), says('second'));
    writeFileSync(join(folder, 'default.json'), says('any'));
    const handle = built(new ScenarioBuilder().respondsWithText(''));
    const play = async (env: Record<string, string>) =>
      (await new Wire(handle, ['-p', 'x'], { env: { ...env, FAKE_CLAUDE_CONFIG: folder } }).ended).stdout;
    expect(await play({ FERMATA_PHASE: '2-A' })).toBe('second\n');
    expect(await play({ FERMATA_PHASE: '../2-A' })).toBe('any\n');
  });

  test('refuses what cannot be played', () => {
    const wrong = new ScenarioBuilder().asksQuestions([]);
    expect(() => wrong.build()).toThrow('invocations[0].steps[0].questions');
  });

  test('is exported for others as fermata-cli/testing', async () => {
    const code = `
      import { calculator, interactivePlanning, multiRoundQa, ScenarioBuilder } from 'fermata-cli/testing';
      const handle = new ScenarioBuilder().respondsWithText('hello').build();
      const { execFileSync } = await import('node:child_process');
      const said = execFileSync(process.execPath, [handle.program, '-p', 'x'], { env: { ...process.env, ...handle.env } });
      console.log(String(said), [calculator, interactivePlanning, multiRoundQa].map((f) => typeof f).join());
      handle.remove();`;
    const root = join(import.meta.dirname, '../..');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
    });
    expect(stdout).toBe('hello\n function,function,function\n');
    const types = readFileSync(join(root, 'dist/types/testing.d.ts'), 'utf8');
    expect(types).toContain('ScenarioBuilder');
  });
});

describe('FAKE-2 the prebuilt scenarios of the seed, with the seed’s own command lines', () => {
  test('interactivePlanning asks two questions and plans once it is resumed', async () => {
    const handle = built(interactivePlanning());
    const cwd = freshFolder();
    const first = new Wire(handle, [...PRINT, 'Plan it'], { cwd });
    await first.ended;
    expect(first.messages[0]).toMatchObject({ subtype: 'init', session_id: 'test-session-123' });
    const questions = ['What programming language?', 'What database?'];
    expect(first.messages[1]?.message.content[0].input).toEqual({ questions });
    const text = `${answersTo(...questions)}Rust\nPostgreSQL\n`;
    const second = new Wire(handle, [...PRINT, '--resume', 'test-session-123', text], { cwd });
    await second.ended;
    expect(second.messages.at(-1)?.result).toMatch(/^# Progress: Interactive Test\n/);
    expect(handle.answers().map(({ question, answer }) => [question, answer])).toEqual([
      ['What programming language?', 'Rust'],
      ['What database?', 'PostgreSQL'],
    ]);
  });

  test('multiRoundQa has two rounds under one session', async () => {
    const handle = built(multiRoundQa());
    const cwd = freshFolder();
    const resume = (text: string) =>
      new Wire(handle, [...PRINT, '--resume', 'multi-session-456', text], { cwd });
    await new Wire(handle, [...PRINT, 'go'], { cwd }).ended;
    await resume(`${answersTo('Question round 1?')}one\n`).ended;
    const last = resume(`${answersTo('Question round 2?')}two\n`);
    await last.ended;
    expect(last.messages.at(-1)?.result).toMatch(/^# Progress: Multi-Round Test\n/);
    expect(handle.answers().map(({ answer }) => answer)).toEqual(['one', 'two']);
    expect(handle.invocations().map(({ resumed }) => resumed)).toEqual([
      undefined,
      'multi-session-456',
      'multi-session-456',
    ]);
  });

  test('calculator asks nothing, and builds a calculator that calculates', async () => {
    const handle = built(calculator());
    const cwd = freshFolder();
    const first = new Wire(handle, [...PRINT, 'plan'], { cwd });
    await first.ended;
    const second = new Wire(handle, [...PRINT, 'build'], { cwd });
    await second.ended;
    expect(first.messages.at(-1)?.result).toContain('- [ ] Add numbers');
    expect(second.messages.at(-1)?.result).toContain('RALPH_DONE');
    expect(JSON.stringify(second.messages)).toContain('"stdout":"5\\n"');
  });

  test('a resumed session without an init of its own stays the same session', async () => {
    const builder = new ScenarioBuilder()
      .behavesLike('seed')
      .withSessionId('old')
      .asksQuestions(['A?'])
      .nextInvocation()
      .beginsWithoutInit()
      .asksQuestions(['B?']);
    const handle = built(builder);
    const cwd = freshFolder();
    await new Wire(handle, [...PRINT, 'go'], { cwd }).ended;
    const second = new Wire(handle, [...PRINT, '--resume', 'old', `${answersTo('A?')}a\n`], { cwd });
    await second.ended;
    expect(second.names[0]).toBe('assistant/tool_use');
    expect(handle.invocations().map(({ sessionId }) => sessionId)).toEqual(['old', 'old']);
  });
});
