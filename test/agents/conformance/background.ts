import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestAPI } from 'vitest';
import { type Hands, LANGUAGE } from './hands.ts';
import type { Recorder } from './outcomes.ts';
import { DONE, MADE_BY_SUB_AGENT } from './plot.ts';

/** The agent keeps working after its turn has ended. */
export function describeBackground(
  { under, open, start, answer }: Hands,
  record: Recorder,
  test: TestAPI,
): void {
  const { abilities } = under;

  test('HEAR-1 HEAR-11 a background command ends and wakes the agent, which asks', async (context) => {
    const row = 'a background command wakes the agent, which asks';
    if (!abilities.background) return record(row, 'nothing wakes it');
    const world = await open('background command', context);
    const agent = start(world);
    const { ask } = await agent.take('question');
    expect(JSON.stringify(ask.questions)).toContain(LANGUAGE.question);
    expect(await answer(agent.run, ask, 'Zig')).toBe(true);
    expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
    record(row);
  });

  test('HEAR-2 HEAR-11 a background sub-agent asks for a command: it is identified, and gets the answer', async (context) => {
    const row = 'a background sub-agent asks for a command';
    if (!abilities.subAgents) return record(row, 'it has none');
    const world = await open('sub-agent', context);
    const agent = start(world);
    const { id, asker } = await agent.take('permission');
    expect(asker).toBeTruthy();
    expect(await agent.run.permit(id, true)).toBe(true);
    expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
    expect(existsSync(join(world.setup.cwd, MADE_BY_SUB_AGENT))).toBe(true);
    record(row);
  });
}
