import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scriptedDriver } from '../../src/agents/claude/driver.ts';
import type { Ask } from '../../src/agents/driver.ts';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { Follower, settled } from '../agents/conformance/follow.ts';
import { isLong } from '../support/long.ts';
import { processesIn, untilDeserted } from '../support/processes.ts';

const AGENTS = isLong ? 100 : 3;
const ROUNDS = [1, 2, 3];

test(`DRV-2 DRV-6 FAKE-1 ${AGENTS} agents at once, each asking three rounds: every answer reaches its own asker`, {
  timeout: 120_000,
}, async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-crowd-')));
  const builder = new ScenarioBuilder().forEachSession();
  for (const round of ROUNDS) builder.asksQuestions([{ id: `r${round}`, question: `Round ${round}?` }]);
  const handle = builder.respondsWithText('{{answer:r1}} {{answer:r2}} {{answer:r3}}').build();
  onTestFinished(() => {
    handle.remove();
    rmSync(cwd, { recursive: true, force: true });
  });

  const setup = { cwd, env: { PATH: process.env.PATH, ...handle.env }, mustAsk: true };
  const agents = Array.from({ length: AGENTS }, (_, number) => {
    const run = scriptedDriver.start(setup, `You are agent ${number}.`);
    onTestFinished(async () => void (await run.stop()));
    return { number, run, follower: new Follower(run), said: [] as string[] };
  });
  const everyone = <T>(work: (agent: (typeof agents)[number]) => Promise<T>) => Promise.all(agents.map(work));

  for (const round of ROUNDS) {
    const asks: Ask[] = await everyone(async ({ follower }) => (await follower.take('question')).ask);
    if (round === 1) tellMemory(processesIn(cwd));
    // The last to ask is answered first, so a match by order would fail.
    for (const { number, run, said } of agents.toReversed()) {
      const ask = asks[number] as Ask;
      const answer = `agent-${number}-round-${round}`;
      said.push(answer);
      void run.answer(ask.id, settled('scripted', ask, [answer]));
    }
  }
  const ends = await everyone(({ run }) => run.ended);
  expect(ends.map(({ reason, text }) => `${reason}: ${text}`)).toEqual(
    agents.map(({ said }) => `ok: ${said.join(' ')}`),
  );
  const received = handle.answers();
  const receivedBy = (id?: string) => received.filter(({ sessionId }) => sessionId === id);
  expect(ends.map(({ sessionId }) => receivedBy(sessionId).map(({ answer }) => answer))).toEqual(
    agents.map(({ said }) => said),
  );
  await untilDeserted(cwd);
});

/** The memory of one waiting agent: its own pages, and its share of the common ones. */
function tellMemory(pids: number[]): void {
  expect(pids).toHaveLength(2 * AGENTS);
  if (!existsSync('/proc/self/smaps_rollup')) return;
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  );
  const megabytes = kilobytes.reduce((a, b) => a + b, 0) / 1024 / AGENTS;
  process.stderr.write(
    `Memory of one idle scripted agent: ${megabytes.toFixed(1)} MB (${pids.length} processes for ${AGENTS} agents, each on its leash)\n`,
  );
}
