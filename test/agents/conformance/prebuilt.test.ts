import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claudeDriver, scriptedDriver } from '../../../src/agents/claude/driver.ts';
import {
  calculator,
  interactivePlanning,
  multiRoundQa,
  type ScenarioBuilder,
} from '../../../src/testing/builder.ts';
import { Follower, settled } from './follow.ts';

function open(builder: ScenarioBuilder) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-prebuilt-')));
  const handle = builder.build();
  onTestFinished(() => {
    handle.remove();
    rmSync(cwd, { recursive: true, force: true });
  });
  return { handle, setup: { cwd, env: { PATH: process.env.PATH, ...handle.env }, mustAsk: false } };
}

const answered = ({ handle }: ReturnType<typeof open>) =>
  handle.answers().map(({ question, answer, how }) => [question, answer, how]);

describe('FAKE-2 FAKE-3 the prebuilt scenarios through the driver', () => {
  test('the answers go back into the same process, which continues with the next invocation', async () => {
    const place = open(interactivePlanning());
    const run = scriptedDriver.start(place.setup, 'Plan it');
    const { ask } = await new Follower(run).take('question');
    expect(await run.answer(ask.id, settled('scripted', ask, ['Rust', 'PostgreSQL']))).toBe(true);
    expect(await run.ended).toMatchObject({
      reason: 'ok',
      text: expect.stringMatching(/^# Progress: Interactive Test\n/),
      sessionId: 'test-session-123',
    });
    expect(answered(place)).toEqual([
      ['What programming language?', 'Rust', 'control'],
      ['What database?', 'PostgreSQL', 'control'],
    ]);
  });

  test('two rounds are two rounds', async () => {
    const place = open(multiRoundQa());
    const run = scriptedDriver.start(place.setup, 'Plan it');
    const follower = new Follower(run);
    for (const answer of ['one', 'two']) {
      const { ask } = await follower.take('question');
      await run.answer(ask.id, settled('scripted', ask, [answer]));
    }
    expect(await run.ended).toMatchObject({ reason: 'ok', text: expect.stringContaining('RALPH_DONE') });
    expect(answered(place).map(([, answer]) => answer)).toEqual(['one', 'two']);
  });

  test('without questions it just ends', async () => {
    const run = scriptedDriver.start(open(calculator()).setup, 'Plan it');
    expect(await run.ended).toMatchObject({
      reason: 'ok',
      text: expect.stringContaining('# Progress: Calculator'),
    });
  });

  test('DRV-4 in plain -p the run is parked, and resumed with the text of the seed', async () => {
    const place = open(interactivePlanning());
    const driver = claudeDriver({
      name: 'scripted',
      mode: 'text',
      program: place.handle.program,
      needs: () => /^FAKE_CLAUDE_CONFIG$/,
    });
    const run = driver.start(place.setup, 'Plan it');
    const { ask } = await new Follower(run).take('question');
    const { reason, sessionId } = await run.ended;
    expect(reason).toBe('parked');
    const notification = settled('scripted', ask, ['Rust', 'PostgreSQL'], sessionId);
    const again = driver.resume(place.setup, { agent: 'scripted', sessionId, toolCallId: ask.id }, [
      notification,
    ]);
    new Follower(again);
    expect(await again.ended).toMatchObject({
      reason: 'ok',
      text: expect.stringContaining('Interactive Test'),
    });
    expect(answered(place)).toEqual([
      ['What programming language?', 'Rust', 'text'],
      ['What database?', 'PostgreSQL', 'text'],
    ]);
    const [, resumed] = place.handle.invocations();
    expect(resumed?.prompt).toBe(
      'Here are my answers to your questions:\n\nQ1: What programming language?\nQ2: What database?\n\nMy answers:\nRust\nPostgreSQL',
    );
  });
});
