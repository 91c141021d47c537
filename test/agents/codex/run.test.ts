import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import type { AgentSetup } from '../../../src/agents/driver.ts';
import { Follower } from '../conformance/follow.ts';

/** Stands in for Codex: once told to begin a turn, it says what the test wants. */
function start(turn: string, more: Partial<AgentSetup> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'fermata-codex-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const program = join(cwd, 'codex.cjs');
  writeFileSync(
    program,
    `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params: { threadId: 'main', ...params } });
const used = (turnId, totalTokens) => tell('thread/tokenUsage/updated', {
  turnId,
  tokenUsage: { total: { totalTokens }, last: { inputTokens: 10, outputTokens: 2 } },
});
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'codex/1.0.0' } });
  // Another thread may be named before the agent's own.
  if (method === 'thread/start') tell('thread/status/changed', { threadId: 'sub', status: { type: 'idle' } });
  if (method === 'thread/start') say({ id, result: { thread: { id: 'main' } } });
  if (method !== 'turn/start') return;
  say({ id, result: {} });
  ${turn}
});
`,
    { mode: 0o755 },
  );
  const env = { PATH: process.env.PATH, HOME: cwd };
  return new Follower(codexDriver.start({ cwd, env, program, mustAsk: false, ...more }, 'Plan.'));
}

const whole = (told: string) => `
  tell('turn/started', { turn: { id: 'turn-1' } });
  ${told}
  tell('turn/completed', { turn: { id: 'turn-1', status: 'completed' } });`;

it('HEAR-1 a command in the background that prints something is not silent', async () => {
  const command = `{ type: 'commandExecution', id: 'call_1', command: 'npm run dev' }`;
  const turn = `${whole(`tell('item/started', { item: ${command} });`)}
    const timer = setInterval(() => tell('item/commandExecution/outputDelta', { delta: 'x' }), 100);
    setTimeout(() => { clearInterval(timer); tell('item/completed', { item: ${command} }); }, 2000);`;
  const agent = start(turn, { backgroundWaitMs: 1000 });
  expect(await agent.run.ended).toMatchObject({ reason: 'ok', message: '' });
  expect(agent.events.filter(({ kind }) => kind === 'notice')).toEqual([]);
});

it('STR-5 repeated figures count once, those of an earlier turn do not count, and a running agent shows the sum', async () => {
  const agent = start(
    `used('turn-0', 5); ${whole("used('turn-1', 17); used('turn-1', 17); used('turn-1', 29);")}`,
  );
  const { usage } = await agent.run.ended;
  expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 4 });
  const last = agent.events.findLast((event) => event.kind === 'usage');
  expect(last?.usage).toEqual(usage);
});

it('STR-4 HEAR-2 the thread that Codex opens for us is the agent, whichever thread was named first', async () => {
  const item = `{ type: 'agentMessage', id: 'm1', text: 'Done.' }`;
  const theirs = `{ type: 'agentMessage', id: 'm2', text: 'I am the helper.' }`;
  const agent = start(
    whole(
      `tell('item/completed', { threadId: 'sub', item: ${theirs} }); tell('item/completed', { item: ${item} });`,
    ),
  );
  expect(await agent.run.ended).toMatchObject({ reason: 'ok', text: 'Done.', sessionId: 'main' });
  expect(agent.events.filter(({ kind }) => kind === 'text')).toEqual([{ kind: 'text', text: 'Done.' }]);
});
