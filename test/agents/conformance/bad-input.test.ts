import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scriptedDriver } from '../../../src/agents/claude/driver.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { ScenarioBuilder } from '../../../src/testing/builder.ts';
import { untilDeserted } from '../../support/processes.ts';
import { Follower, settled } from './follow.ts';

function play(builder: ScenarioBuilder, more: Partial<AgentSetup> = {}) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-bad-input-')));
  const handle = builder.build();
  const env = { PATH: process.env.PATH, ...handle.env };
  const run = scriptedDriver.start({ cwd, env, mustAsk: true, ...more }, 'Plan the project.');
  onTestFinished(async () => {
    await run.stop();
    await untilDeserted(cwd);
    handle.remove();
    rmSync(cwd, { recursive: true, force: true });
  });
  return { handle, run, follower: new Follower(run) };
}

const says = () => new ScenarioBuilder().respondsWithText('before');

describe('FAKE-3 STR-6 a scripted agent that behaves badly, through its driver', () => {
  test('garbage, bytes that are not text and a line of 20 MB are skipped and counted', async () => {
    const { run } = play(
      says()
        .raw('not json')
        .rawBytes(Uint8Array.of(0xff, 0xfe, 0x0a))
        .floods('stdout', 20 * 1024 * 1024)
        .raw('')
        .respondsWithText('after'),
    );
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'after', skippedLines: 3 });
  });

  test('a flood on stderr leaves its tail', async () => {
    const { run } = play(
      says().floods('stderr', 2_000_000, 'noise\n').writesStderr('the end').respondsWithText('after'),
    );
    const { reason, stderrTail } = await run.ended;
    expect(reason).toBe('ok');
    expect(stderrTail.endsWith('the end')).toBe(true);
    expect(stderrTail.length).toBeLessThanOrEqual(16 * 1024);
  });

  test.each<[string, ScenarioBuilder, Partial<AgentSetup>, object]>([
    ['never ends', says().neverEnds(), { timeoutMs: 1000 }, { reason: 'timed_out' }],
    ['ends well without a result', says().endsWithoutResult(), {}, { reason: 'crashed', exitCode: 0 }],
    [
      'exits',
      says().writesStderr('out of luck').exits(9),
      {},
      { reason: 'crashed', exitCode: 9, message: expect.stringContaining('out of luck') },
    ],
    ['crashes', says().crashes(), {}, { reason: 'crashed', signal: 'SIGKILL' }],
    ['closes its stdout', says().closesStdout().exits(0), {}, { reason: 'crashed', exitCode: 0 }],
    [
      'fails',
      says().fails('API Error: 400 no such model'),
      {},
      { reason: 'api_error', message: expect.stringContaining('no such model') },
    ],
    [
      'has no more script',
      new ScenarioBuilder().saysVersion('2.1.400').exits(1),
      {},
      { reason: 'crashed', message: expect.stringMatching(/^scripted 2\.1\.400 ended with exit code 1/) },
    ],
  ])('one that %s is told as that', async (_, builder, more, end) => {
    expect(await play(builder, more).run.ended).toMatchObject(end);
  });

  test('DRV-5 a version without the tool is refused at once, by name and version', async () => {
    const { run } = play(new ScenarioBuilder().cannotAsk().saysVersion('2.1.999').delays(60_000));
    expect(await run.ended).toMatchObject({
      reason: 'cannot_ask',
      message: expect.stringContaining('scripted 2.1.999 does not offer AskUserQuestion'),
    });
  });

  const many = Array.from({ length: 40 }, (_, i) => ({ label: `Option ${i + 1}` }));
  test.each([
    ['no options', [{ question: 'Which?', options: [] }], ['anything']],
    ['a plain text', ['Which?'], ['anything']],
    ['40 options', [{ question: 'Which?', options: many }], ['Option 39']],
    [
      'the same text twice',
      [
        { question: 'Which?', options: many.slice(0, 2) },
        { question: 'Which?', options: many.slice(2, 4) },
      ],
      ['Option 1', 'Option 3'],
    ],
  ])('a question with %s is asked and answered', async (_, questions, answers) => {
    const { handle, run, follower } = play(
      new ScenarioBuilder().asksQuestions(questions).respondsWithText('after'),
    );
    const { ask } = await follower.take('question');
    expect(await run.answer(ask.id, settled('scripted', ask, answers))).toBe(true);
    expect(await run.ended).toMatchObject({ reason: 'ok' });
    const received = handle
      .answers()
      .map(({ answer }) => answer)
      .join('\n');
    for (const answer of answers) expect(received).toContain(answer);
  });

  test('the agent learns what is wrong with a question without text, and nobody is asked', async () => {
    const { run, follower } = play(new ScenarioBuilder().asksQuestions([' ']).respondsWithText('after'));
    expect(await run.ended).toMatchObject({ reason: 'ok', text: 'after' });
    expect(follower.events.map(({ kind }) => kind)).not.toContain('question');
  });
});
