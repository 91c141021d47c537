import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type TestAPI } from 'vitest';
import { killAgent } from '../../support/processes.ts';
import { settled } from './follow.ts';
import { COLOUR, type Hands, LANGUAGE, type Opened } from './hands.ts';
import { DONE } from './plot.ts';

/** A person says something that the agent did not ask for. */
export function describeWords({ under, open, follow, start, answer }: Hands, test: TestAPI): void {
  const { driver } = under;
  /** How often the model was told it, in its last request. */
  const heard = (world: Opened, ...words: string[]) => words.map((each) => world.told(each).length);

  test('MSG-1 DRV-7 what a person says while the agent waits, and while it works, reaches its model once and in order', async (context) => {
    const world = await open(
      [{ ask: [[LANGUAGE]] }, { run: 'touch slept.txt && sleep 1' }, { ask: [[COLOUR]] }],
      context,
    );
    const agent = start(world);
    const { ask } = await agent.take('question');
    const said = [agent.run.say?.('MESSAGE-1: be quick.'), agent.run.say?.('MESSAGE-2: be careful.')];
    expect(await answer(agent.run, ask, 'Zig')).toBe(true);
    const { id } = await agent.take('permission');
    await agent.run.permit(id, true);
    said.push(agent.run.say?.('MESSAGE-3: and quiet.'));
    const { ask: next } = await agent.take('question');
    expect(await Promise.all(said)).toEqual([true, true, true]);
    expect(heard(world, 'MESSAGE-1', 'MESSAGE-2', 'MESSAGE-3')).toEqual([1, 1, 1]);
    const order = world.told('MESSAGE-').flatMap(({ text }) => text.match(/MESSAGE-\d/g) ?? []);
    expect(order).toEqual(['MESSAGE-1', 'MESSAGE-2', 'MESSAGE-3']);
    await answer(agent.run, next, 'Red');
    expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
  });

  if (under.abilities.hearsAtEnd)
    test('MSG-1 DRV-7 what is said as the last turn ends is either taken, or reported as not taken', async (context) => {
      const world = await open([{ ask: [[LANGUAGE]] }], context);
      const agent = start(world);
      const { ask } = await agent.take('question');
      void answer(agent.run, ask, 'Zig');
      await agent.take('text');
      const isTaken = await agent.run.say?.('MESSAGE-1: one more thing.');
      expect((await agent.run.ended).reason).toMatch(/^(ok|failed)$/);
      expect(heard(world, 'MESSAGE-1')).toEqual([isTaken ? 1 : 0]);
      expect(await agent.run.say?.('MESSAGE-2: too late.')).toBe(false);
    });

  test('MSG-1 DRV-7 a killed agent is resumed with the answer and with what was said, once', async (context) => {
    const world = await open([{ ask: [[LANGUAGE]] }, { ask: [[COLOUR]] }], context);
    const first = start(world);
    const { sessionId } = await first.take('session');
    const { ask } = await first.take('question');
    await sleep(under.savedAfterMs);
    killAgent(world.setup.cwd);
    await first.run.ended;
    const answered = settled(driver.name, ask, ['Zig'], sessionId);
    const recipe = { agent: driver.name, sessionId, ...answered.resume, cwd: world.setup.cwd };
    const agent = follow(world, driver.resume(world.setup, recipe, [answered], 'MESSAGE-1: be quick.'));
    const { ask: next } = await agent.take('question');
    expect(await agent.run.received).not.toBe(false);
    expect(heard(world, LANGUAGE.question, 'MESSAGE-1')).toEqual([1, 1]);
    await answer(agent.run, next, 'Red');
    expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: DONE });
  });
}
