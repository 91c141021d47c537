import { expect, test } from 'vitest';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { startRun } from '../../../src/agents/run/conduct.ts';
import { type Puppet, puppetDriver } from '../support/puppet.ts';
import { openStage, type Stage } from '../support/stage.ts';

const setup: AgentSetup = { cwd: '/', env: {}, mustAsk: true };
const ann = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };

async function stageWithTask() {
  const stage = await openStage();
  const { ledger, projectId } = stage;
  await ledger.tasks.add({ projectId, id: 'shop/1', title: 'Shop' }, ann);
  return {
    ...stage,
    say: (text: string, options = {}) => ledger.tasks.say(projectId, 'shop/1', text, ann, options),
    states: async () =>
      (await ledger.tasks.chat(projectId, 'shop/1')).map(({ text, delivery }) => [text, delivery]),
  };
}

const run = (
  { ledger, projectId }: Stage,
  plays: ((self: Puppet) => void)[],
  ...more: [Parameters<typeof puppetDriver>[1]?, Parameters<typeof puppetDriver>[2]?]
) => {
  const puppets = puppetDriver(plays, ...more);
  const started = { projectId, source: 'execute' as const, sourceId: 'shop/1', prompt: 'Build.' };
  const running = startRun({ ledger, driver: puppets.driver, setup }, { ...started, work: { for: 'agent' } });
  return { ...puppets, running };
};

const done = (self: Puppet) => {
  self.events.push({ kind: 'text', text: 'done' });
  self.end('ok', 'done');
};
const session = (self: Puppet) => self.events.push({ kind: 'session', sessionId: 's-1' });

test('MSG-1 a new agent gets what was said before, once and in order, and has read it with its first word', async () => {
  const stage = await stageWithTask();
  await stage.say('Use no dependency.');
  await stage.say('Append to a plain file.');
  const { running, prompts } = run(stage, [done]);
  await running;
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toMatch(/^Build\..*Use no dependency\..*Append to a plain file\.$/s);
  expect(await stage.states()).toEqual([
    ['Use no dependency.', 'read'],
    ['Append to a plain file.', 'read'],
  ]);
});

test('MSG-1 an agent that takes nothing while it works gets another turn with what was said meanwhile', async () => {
  const stage = await stageWithTask();
  const { running, words } = run(stage, [
    (self) => {
      session(self);
      void stage.say('Use no dependency.').then(() => done(self));
    },
    done,
  ]);
  expect((await running).end.reason).toBe('ok');
  expect(words).toHaveLength(1);
  expect(words[0]).toContain('ann says');
  expect(words[0]).toContain('Use no dependency.');
  expect(await stage.states()).toEqual([['Use no dependency.', 'read']]);
});

test('MSG-1 an agent that takes messages while it works gets each at once, and in no later turn', async () => {
  const stage = await stageWithTask();
  const { running, runs, words } = run(stage, [
    (self) => {
      self.takesWords = true;
      session(self);
      void stage.say('First.').then(() => stage.say('Second.'));
    },
  ]);
  await expect
    .poll(async () => (await stage.states()).map(([, state]) => state))
    .toEqual(['delivered', 'delivered']);
  const [self] = runs;
  expect(self?.words).toEqual([expect.stringContaining('First.'), expect.stringContaining('Second.')]);
  if (self) done(self);
  await running;
  expect(words).toEqual([]);
  expect(await stage.states()).toEqual([
    ['First.', 'read'],
    ['Second.', 'read'],
  ]);
});

test('MSG-1 a message that its session has already is not sent again', async () => {
  const stage = await stageWithTask();
  const sent: string[] = [];
  const transcript = async () => ({ calls: new Set<string>(), results: new Map(), messages: sent });
  const { running, words } = run(
    stage,
    [
      (self) => {
        self.takesWords = false; // it dies before it shows that it has them
        session(self);
        void stage.say('First.').then(async () => {
          await expect.poll(() => self.words.length).toBe(1);
          sent.push(...self.words);
          await stage.say('Second.');
          await expect.poll(() => self.words.length).toBe(2);
          self.end('crashed');
        });
      },
      done,
    ],
    transcript,
  );
  await running;
  expect(words).toEqual([expect.stringContaining('Second.')]);
  expect(words[0]).not.toContain('First.');
  expect(await stage.states()).toEqual([
    ['First.', 'read'],
    ['Second.', 'read'],
  ]);
});

test('MSG-2 a message that interrupts ends the turn, and its session continues with it', async () => {
  const stage = await stageWithTask();
  const { running, words } = run(stage, [
    (self) => {
      self.takesWords = true;
      session(self);
      void stage.say('Stop, wrong branch.', { interrupts: true });
    },
    done,
  ]);
  expect((await running).end).toMatchObject({ reason: 'ok', text: 'done' });
  expect(words).toEqual([expect.stringContaining('Stop, wrong branch.')]);
  expect(await stage.states()).toEqual([['Stop, wrong branch.', 'read']]);
});

test('MSG-1 an agent without its session starts over with everything that was said', async () => {
  const stage = await stageWithTask();
  const { running, prompts } = run(stage, [
    (self) => {
      session(self);
      self.takesWords = true;
      void stage.say('First.').then(async () => {
        await expect.poll(async () => (await stage.states())[0]?.[1]).toBe('delivered');
        self.end('crashed');
      });
    },
    (self) => self.end('session_lost'),
    done,
  ]);
  await running;
  expect(prompts).toHaveLength(2);
  expect(prompts[1]?.split('First.')).toHaveLength(2);
});
