import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { resumeRun, startRun } from '../../../src/agents/run/conduct.ts';
import type { RunOptions } from '../../../src/agents/run/run-options.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { longTest } from '../../support/long-test.ts';
import { killAgent } from '../../support/processes.ts';
import { CODEX } from '../clis/real-cli.ts';
import { installedClaude } from '../conformance/adapters/claude.ts';
import { installedCodex } from '../conformance/adapters/codex.ts';
import { scripted } from '../conformance/adapters/scripted.ts';
import { COLOUR, LANGUAGE, PROMPT, STORE } from '../conformance/hands.ts';
import { DONE, type DriverUnderTest, type PlotQuestion } from '../conformance/plot.ts';
import { openStage } from '../support/stage.ts';

const ann = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };
const TASK = 'shop/1';

/** An agent that asks, works and asks again, while a person talks to it at every stage. */
async function journey(under: DriverUnderTest, skip: (note: string) => never): Promise<void> {
  const stage = await openStage();
  const { ledger, projectId } = stage;
  await ledger.tasks.add({ projectId, id: TASK, title: 'Shop' }, ann);
  const world = await under.open(
    [
      { ask: [[LANGUAGE]] },
      { run: 'touch a && sleep 1' },
      { ask: [[STORE]] },
      { ask: [[COLOUR]] },
      { run: 'touch b && sleep 3' },
    ],
    skip,
  );
  onTestFinished(async () => world.close());
  const said: string[] = [];
  const say = async (when: string, interrupts = false) => {
    const words = `MESSAGE-${said.length + 1}: ${when}.`;
    said.push(words);
    await ledger.tasks.say(projectId, TASK, words, ann, { interrupts });
  };
  const states = async () =>
    (await ledger.tasks.chat(projectId, TASK)).flatMap(({ delivery }) => delivery ?? []);
  const answer = async (id: string, value: string) => {
    const [question] = (await ledger.notifications.get(projectId, id)).questions;
    const responses = [{ questionId: question?.id ?? '', answer: value }];
    await ledger.notifications.resolve(projectId, id, { responses }, ann);
  };
  /** Not one that it repeats and gets the answer to. */
  const asks = async ({ question }: PlotQuestion): Promise<Notification> => {
    for (;;) {
      const asked = await stage.asked();
      if (asked.status === 'open' && asked.questions[0]?.text === question) return asked;
    }
  };
  let stop = new AbortController();
  const options = (more: Partial<RunOptions['setup']> = {}): RunOptions => {
    stop = new AbortController();
    const allows = (tool: string) => tool === 'Bash' || tool === 'shell';
    const setup = { ...world.setup, ...more };
    return {
      ledger,
      driver: under.driver,
      setup,
      signal: stop.signal,
      allows,
      patience: { outage: [], crash: [] },
    };
  };
  const started = { projectId, source: 'execute' as const, sourceId: TASK, prompt: PROMPT };

  await say('before it begins');
  const first = startRun(options(), { ...started, work: { for: 'agent' } });
  const language = await asks(LANGUAGE);
  await say('while it waits');
  await answer(language.id, 'Zig');
  await say('while it works');
  const store = await asks(STORE);
  await expect.poll(states, { timeout: 30_000 }).not.toContain('queued');

  await sleep(under.savedAfterMs);
  stop.abort();
  const stopped = await first;
  expect(stopped.run.status).toBe('waiting');
  await say('while it is parked');
  await answer(store.id, 'Disk');
  const second = resumeRun(options(), projectId, stopped.run.id);
  const colour = await asks(COLOUR);
  await expect.poll(states, { timeout: 30_000 }).not.toContain('queued');

  await sleep(under.savedAfterMs);
  killAgent(world.setup.cwd);
  const dead = await second;
  expect(dead.end.reason).toBe('crashed');
  await say('while it is dead');
  await answer(colour.id, 'Red');
  const third = resumeRun(options(), projectId, dead.run.id);
  await expect.poll(() => existsSync(join(world.setup.cwd, 'b')), { timeout: 30_000 }).toBe(true);
  await say('instead of going on', true);
  const last = await third;
  expect(last.end).toMatchObject({ reason: 'ok', text: DONE });

  expect(await states()).toEqual(said.map(() => 'read'));
  expect(said.map((words) => world.told(words).length)).toEqual(said.map(() => 1));
  const order = world.told('MESSAGE-').flatMap(({ text }) => text.match(/MESSAGE-\d/g) ?? []);
  expect(order).toEqual(said.map((_, index) => `MESSAGE-${index + 1}`));
}

const agents: [string, DriverUnderTest, typeof test][] = [
  ['the scripted agent', scripted('2.1.325'), test],
  ['Claude Code', installedClaude('claude-2.1.325', {}), longTest as typeof test],
  ['Codex', installedCodex(CODEX, {}), longTest as typeof test],
];

for (const [name, under, run] of agents) {
  run(
    `MSG-1 MSG-2 ${name} is told once and in order what is said while it works, waits, is parked or dead, and with an interruption`,
    ({ skip }) => journey(under, skip),
    120_000,
  );
}
